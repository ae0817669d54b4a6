/*
 * The line to one table: a WebSocket that comes back by itself, and answers as promises.
 *
 * Every message gets a number of its own; the server's answer carries it. The newest view of the table is handed to
 * `onView`; because a view is whole, a line that was cut needs no repair: the first view after it says everything.
 */

const FIRST_WAIT = 250;
const LONGEST_WAIT = 4000;

export class Connection {
  #path;
  #onView;
  #onState;
  #socket = null;
  #waiting = new Map();
  #number = 0;
  #wait = FIRST_WAIT;
  #timer = null;
  #ended = false;

  /** `onView(view)` for every view, `onState("open" | "lost", why)` when the line comes or goes. */
  constructor(path, { onView, onState }) {
    this.#path = path;
    this.#onView = onView;
    this.#onState = onState;
    this.#open();
  }

  /** Send a message; the promise is kept with the server's answer or broken with its sentence. */
  ask(type, fields = {}) {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Error("The line to the table is cut; trying again."));
    }
    this.#number += 1;
    const id = this.#number;
    this.#socket.send(JSON.stringify({ type, id, ...fields }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** End the line for good. */
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
    socket.addEventListener("open", () => {
      this.#wait = FIRST_WAIT;
      this.#onState("open", "");
    });
    socket.addEventListener("message", (event) => this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => this.#lost(event.reason));
  }

  #hear(message) {
    if (message.type === "table") {
      this.#onView(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    if (message.type === "error") waiting.reject(new Error(message.message));
    else waiting.resolve(message);
  }

  #lost(why) {
    for (const { reject } of this.#waiting.values()) reject(new Error("The line to the table was cut."));
    this.#waiting.clear();
    if (this.#ended) return;
    this.#onState("lost", why);
    this.#timer = setTimeout(() => this.#open(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
  }
}
