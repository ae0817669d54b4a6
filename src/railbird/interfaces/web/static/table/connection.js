/*
 * The connection to one table: a WebSocket that reconnects automatically, with answers as promises.
 *
 * Every message has its own number, which the server's answer carries. The newest view of the table is passed to
 * `onView`; because each view is complete, nothing needs repair after a lost connection.
 *
 * The server accepts every connection, and closes one that it cannot serve with a code and a message: a table that does
 * not exist is not requested again, and a full server is asked less often. So a connection counts as established when
 * the server has sent something, not when it is open.
 */

import { sentence } from "../words/sentences.js";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;
const FIRST_WAIT_WHEN_FULL = 5000;
const LONGEST_WAIT_WHEN_FULL = 30000;
const UNKNOWN_SESSION = 4404;
const TRY_LATER = 1013;

export class Connection {
  #path;
  #onView;
  #onState;
  #socket = null;
  #waiting = new Map();
  #number = 0;
  #wait = FIRST_WAIT;
  #timer = null;
  #good = false;
  #ended = false;

  /**
   * `onView(view)` for every view; `onState("open" | "lost" | "gone", why)` when the line comes, is cut and will be
   * tried again, or ends for good.
   */
  constructor(path, { onView, onState }) {
    this.#path = path;
    this.#onView = onView;
    this.#onState = onState;
    this.#open();
  }

  /** Send a message; the promise resolves with the server's answer or rejects with its error message. */
  ask(type, fields = {}) {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      const ended = "The connection is closed.";
      return Promise.reject(new Error(this.#ended ? ended : "Connection lost; reconnecting."));
    }
    this.#number += 1;
    const id = this.#number;
    this.#socket.send(JSON.stringify({ type, id, ...fields }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Close the connection permanently. */
  close() {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #open() {
    const address = new URL(this.#path, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    this.#good = false;
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", ({ code, reason }) => this.#lost(code, reason));
  }

  #hear(message) {
    if (!this.#good) {
      this.#good = true;
      this.#wait = FIRST_WAIT;
      this.#onState("open", "");
    }
    if (message.type === "table") {
      this.#onView(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    if (message.type === "error") waiting.reject(new Error(sentence(message.message)));
    else waiting.resolve(message);
  }

  #lost(code, why) {
    for (const { reject } of this.#waiting.values()) reject(new Error("Connection lost."));
    this.#waiting.clear();
    if (this.#ended) return;
    if (code === UNKNOWN_SESSION) {
      this.#ended = true;
      this.#onState("gone", why);
      return;
    }
    this.#onState("lost", why);
    const full = code === TRY_LATER;
    const wait = full ? Math.max(this.#wait, FIRST_WAIT_WHEN_FULL) : this.#wait;
    this.#timer = setTimeout(() => this.#open(), wait);
    this.#wait = Math.min(2 * wait, full ? LONGEST_WAIT_WHEN_FULL : LONGEST_WAIT);
  }
}
