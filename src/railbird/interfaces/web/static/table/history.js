/* The history line by line: the current hand, and below it earlier ones; actions have a "Why?" button. */

import { wordsOf } from "../page/announce.js";
import { drawCard } from "../page/cards.js";
import { make, morph, unseen } from "../page/elements.js";
import { colourOf } from "../words/amounts.js";
import { formatChips } from "../words/numbers.js";

const KEPT = 15;

export class History {
  #session;
  #view = null;

  /** `onWhy(hand, step)` is called when the reasons of an action are requested. */
  constructor(session, onWhy) {
    this.#session = session;
    this.now = make("ol", { class: "log", role: "list", tabindex: "0", "aria-label": "This hand" });
    this.title = make("h2", {}, "History");
    this.earlier = make("div", { class: "earlier" });
    this.element = make(
      "section",
      { class: "history panel", "aria-label": "History" },
      this.title,
      this.now,
      this.earlier,
    );
    this.element.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-step]");
      if (button) onWhy(Number(button.dataset.hand), Number(button.dataset.step));
    });
  }

  show(view) {
    if (this.#view && this.#view.hand !== view.hand && this.#view.log.length) this.#keep(this.#view);
    this.#view = view;
    this.title.textContent = view.hand ? `Hand ${view.hand}` : "History";
    morph(this.now, drawLog(view, { tabindex: "0", "aria-label": "This hand" }));
    this.now.scrollTop = this.now.scrollHeight;
  }

  /** The latest action that can be explained, of this hand or an earlier one: `{ hand, step }` or null. */
  get latest() {
    for (const part of [this.now, ...this.earlier.children]) {
      const button = [...part.querySelectorAll("button[data-step]")].at(-1);
      if (button) return { hand: Number(button.dataset.hand), step: Number(button.dataset.step) };
    }
    return null;
  }

  #keep(view) {
    const own = view.chairs.find((chair) => chair.you);
    const result = own && own.won !== null ? make("span", { class: colourOf(own.won) }, formatChips(own.won)) : null;
    const replay = make(
      "a",
      { href: `#/replay/${this.#session}/${view.hand}` },
      "Replay",
      unseen(` hand ${view.hand}`),
    );
    this.earlier.prepend(
      make(
        "details",
        {},
        make("summary", {}, `Hand ${view.hand} `, result),
        drawLog(view),
        view.phase === "over" ? replay : null,
      ),
    );
    while (this.earlier.childElementCount > KEPT) this.earlier.lastElementChild.remove();
  }
}

function drawLog(view, attributes = {}) {
  const explained = new Set(view.reasons.map(({ step }) => step));
  return make(
    "ol",
    { class: "log", role: "list", ...attributes },
    view.log.map((event) => drawLine(event, view.hand, explained)),
  );
}

function drawLine(event, hand, explained) {
  const cards = event.cards.map((card) => drawCard(card));
  const asks = event.step !== null && explained.has(event.step);
  return make(
    "li",
    { class: `line-${event.kind}` },
    make("span", {}, wordsOf(event)),
    cards.length ? make("span", { class: "log-cards" }, cards) : null,
    asks
      ? make(
        "button",
        { type: "button", class: "small quiet why-button", "data-hand": hand, "data-step": event.step },
        "Why?",
        unseen(` ${wordsOf(event)}`),
      )
      : null,
  );
}
