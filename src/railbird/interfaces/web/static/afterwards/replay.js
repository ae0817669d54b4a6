/*
 * A finished hand step by step, with all cards shown and the reasons for each action of an agent. The steps are the
 * views of the table after each action; buttons, a slider, the list of steps and keys navigate them.
 */

import { wordsOf } from "../page/announce.js";
import { copyText } from "../page/copying.js";
import { make, unseen, useStyle } from "../page/elements.js";
import { answerOf, cardsOf } from "../page/session_data.js";
import { drawReasons } from "../reasons/why.js";
import { drawTable, redrawTable } from "../table/table.js";
import { formatChips } from "../words/numbers.js";
import { sentence } from "../words/sentences.js";
import { Autoplay } from "./autoplay.js";

const OWN_KEYS = "input, select, textarea, .why-scroll";
const PRESSED_BY_SPACE = "button, a, summary";
/** Endings and names of the files of a hand. */
const FILES = { txt: "PokerStars text", phhs: "PHH", log: "ACPC log" };

useStyle("afterwards/afterwards.css");

/** Show a hand of a session, from a step on, until the returned function is called. */
export async function show(root, sessionId, number, step = "0") {
  const address = `/api/sessions/${encodeURIComponent(sessionId)}/hands/${encodeURIComponent(number)}`;
  const replay = new Replay(sessionId, address, await answerOf(address));
  replay.go(Number(step) || 0);
  root.replaceChildren(replay.element);
  const hear = (event) => replay.hear(event);
  document.addEventListener("keydown", hear);
  return () => {
    replay.autoplay.pause();
    document.removeEventListener("keydown", hear);
  };
}

class Replay {
  #place = 0;

  constructor(sessionId, address, hand) {
    this.hand = hand;
    this.last = hand.views.length - 1;
    this.table = drawTable(hand.views[0]);
    this.said = make("p", { class: "replay-said", role: "status" });
    this.reasons = make("div", {});
    this.why = make(
      "section",
      { class: "replay-why panel stack", "aria-label": "Why?", tabindex: "0" },
      make("h2", {}, "Why?"),
      this.reasons,
    );
    this.steps = make(
      "ol",
      { class: "replay-steps panel", "aria-label": "Steps", role: "list" },
      hand.views.map((_, place) => this.#drawStep(place)),
    );
    this.#makeControls();
    this.element = make(
      "div",
      { class: "replay" },
      drawHead(sessionId, hand),
      make("section", { class: "felt", "aria-label": "Table" }, this.table),
      this.controls,
      this.why,
      this.steps,
      drawFiles(address, hand),
    );
  }

  /** One step on, or from the end back to the beginning; whether another one follows. */
  #stepOn() {
    this.go(this.#place === this.last && !this.autoplay.isPlaying ? 0 : this.#place + 1);
    return this.#place < this.last;
  }

  /** Go to a step that somebody chose; autoplay waits there. */
  #choose(place) {
    this.autoplay.pause();
    this.go(place);
  }

  /** Go to a step, or to the nearest one. */
  go(place) {
    this.#place = Math.min(this.last, Math.max(0, place));
    const words = this.#linesOf(this.#place).filter(({ kind }) => kind !== "post" && kind !== "hole").map(sentenceOf);
    const text = words.join(", ") || "Blinds are posted and cards are dealt";
    redrawTable(this.table, this.hand.views[this.#place]);
    this.said.textContent = `Step ${this.#place} of ${this.last}: ${text}`;
    this.slider.value = this.#place;
    this.slider.setAttribute("aria-valuetext", text);
    this.back.forEach((button) => (button.disabled = this.#place === 0));
    this.on.forEach((button) => (button.disabled = this.#place === this.last));
    [...this.steps.children].forEach((step, number) => {
      const button = step.querySelector("button");
      if (number === this.#place) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    this.#keepInSight(this.steps.children[this.#place]);
    this.reasons.replaceChildren(this.#drawWhy());
    this.why.scrollTop = 0;
  }

  /** Arrow keys, Home, End and Space, unless the focused element needs them. */
  hear(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest?.(OWN_KEYS)) return;
    const places = { ArrowLeft: this.#place - 1, ArrowRight: this.#place + 1, Home: 0, End: this.last };
    if (event.key in places) {
      event.preventDefault();
      this.#choose(places[event.key]);
    } else if (event.key === " " && !event.target.closest?.(PRESSED_BY_SPACE)) {
      event.preventDefault();
      this.autoplay.toggle();
    }
  }

  #makeControls() {
    const button = (words, sign, place) =>
      make("button", { type: "button", "aria-label": words, title: words, onclick: () => this.#choose(place()) }, sign);
    this.back = [button("First step", "|◀", () => 0), button("Step back", "◀", () => this.#place - 1)];
    this.on = [button("Step forward", "▶", () => this.#place + 1), button("Last step", "▶|", () => this.last)];
    this.slider = make("input", { type: "range", min: 0, max: this.last, value: 0, "aria-label": "Step" });
    this.slider.addEventListener("input", () => this.#choose(Number(this.slider.value)));
    this.autoplay = new Autoplay(() => this.#stepOn());
    const key = (name) => make("kbd", {}, name);
    const keys = [key("←"), " ", key("→"), " step, ", key("Home"), " ", key("End"), " first and last, ", key("Space"), " play"];
    this.controls = make(
      "div",
      { class: "replay-controls", role: "group", "aria-label": "Steps of the hand" },
      make("div", { class: "row" }, this.back, this.slider, this.on),
      this.said,
      make("div", { class: "row autoplay-row" }, this.autoplay.element, make("p", { class: "muted small-text" }, keys)),
    );
  }

  /** The lines that a step added to the history. */
  #linesOf(place) {
    const before = place ? this.hand.views[place - 1].log.length : 0;
    return this.hand.views[place].log.slice(before);
  }

  #reasonsOf(place) {
    return place ? this.hand.reasons[place - 1] : undefined;
  }

  #drawStep(place) {
    const lines = this.#linesOf(place);
    const [first, ...rest] = place ? lines : [{ text: "Blinds and cards", cards: [] }, ...lines];
    const explained = this.#reasonsOf(place) ? make("span", { class: "tag" }, "why") : null;
    const number = make("span", { class: "number" }, String(place));
    const below = rest.filter(({ kind }) => kind !== "hole");
    return make(
      "li",
      {},
      make("button", { type: "button", onclick: () => this.#choose(place) }, number, wordsOf(first), cardsOf(first.cards), explained),
      below.map((line) => make("p", { class: `step-${line.kind}` }, wordsOf(line), " ", cardsOf(line.cards))),
    );
  }

  #drawWhy() {
    const reasons = this.#reasonsOf(this.#place);
    if (reasons) return drawReasons(reasons);
    const next = this.hand.views.findIndex((_, place) => place > this.#place && this.#reasonsOf(place));
    const words = this.#place ? "There are no reasons for this step." : "Before the first action.";
    const onwards = next > 0
      ? make("button", { type: "button", onclick: () => this.#choose(next) }, "Next action with reasons")
      : null;
    return make("div", { class: "stack" }, make("p", { class: "muted" }, words), onwards);
  }

  /** Scroll only the list, so that a step is visible. */
  #keepInSight(step) {
    const { offsetTop, offsetHeight } = step;
    const { scrollTop, clientHeight } = this.steps;
    const end = offsetTop + offsetHeight;
    if (offsetTop < scrollTop) this.steps.scrollTop = offsetTop;
    else if (end > scrollTop + clientHeight) this.steps.scrollTop = end - clientHeight;
  }
}

function sentenceOf(line) {
  return line.cards.length ? `${wordsOf(line)} ${line.cards.join(" ")}` : wordsOf(line);
}

/** The hand as text, to copy or to download. */
function drawFiles(address, { number }) {
  const copy = async () => {
    const answer = await fetch(`${address}/txt`);
    const text = await answer.text();
    if (answer.ok) await copyText(text.trim(), `Hand ${number}`);
    else told.textContent = sentence(JSON.parse(text).error);
  };
  const told = make("p", { class: "bad", role: "alert" });
  const links = Object.entries(FILES).map(([ending, name]) =>
    make("a", { href: `${address}/${ending}`, download: "" }, name),
  );
  return make(
    "section",
    { class: "replay-files row", "aria-label": "This hand as text" },
    make("button", { type: "button", onclick: copy }, "Copy as text"),
    make("span", { class: "muted" }, "Download:"),
    links,
    told,
  );
}

function drawHead(sessionId, hand) {
  const link = (address, words, hint = "") => make("a", { class: "button", href: address }, words, unseen(hint));
  const hands = [
    hand.previous ? link(`#/replay/${sessionId}/${hand.previous}`, "Previous", ` hand, ${hand.previous}`) : null,
    link(`#/session/${sessionId}`, "Session"),
    hand.next ? link(`#/replay/${sessionId}/${hand.next}`, "Next", ` hand, ${hand.next}`) : null,
  ];
  const won = Object.entries(hand.won).filter(([, chips]) => chips !== 0);
  const results = won.map(([name, chips]) =>
    make("li", {}, `${name} `, make("span", { class: "number" }, formatChips(chips))),
  );
  return make(
    "header",
    { class: "replay-head" },
    make("h1", { tabindex: "-1" }, `Hand ${hand.number}`),
    make("p", { class: "muted" }, hand.title),
    hand.counted ? null : make("p", { class: "ribbon" }, "training: does not count"),
    make("nav", { class: "row", "aria-label": "Hands" }, hands),
    make("ul", { class: "replay-won", role: "list", "aria-label": "Results" }, results),
  );
}
