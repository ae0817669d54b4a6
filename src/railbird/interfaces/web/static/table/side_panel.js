/*
 * A panel next to the table, on narrow screens a drawer over it: reasons, advice, the strength of a hand.
 *
 * What it shows belongs to a moment: a hand, its street, and for some questions the very step. It says which, and marks
 * an answer when the table has moved on.
 */

import { make } from "../page/elements.js";

export class SidePanel {
  #before = null;
  #question = null;
  #view = null;
  #onHold;

  /** `onHold(held)` is called when a panel opens during which the next hand waits, and when it is closed. */
  constructor(onHold) {
    this.#onHold = onHold;
    this.title = make("h2", { tabindex: "-1" });
    this.when = make("p", { class: "side-when small-text muted" });
    this.waits = make("p", { class: "note small-text" }, "The next hand waits while this is open.");
    this.body = make("div", { class: "side-body" });
    const close = make(
      "button",
      { type: "button", class: "quiet", "aria-label": "Close the panel", onclick: () => this.close() },
      "✕",
    );
    this.element = make(
      "aside",
      { class: "side panel", "aria-label": "Explanations", hidden: true },
      make("div", { class: "dialog-head" }, this.title, close),
      this.when,
      this.waits,
      this.body,
    );
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  /**
   * Show content below a title, and move the focus there. Returns the question, whose `fill` shows its answer and whose
   * `date` sets its moment `{ hand, round, step }`; both do nothing once it no longer `stands`: another one was asked, or
   * the panel was closed. Without a step, a moment lasts until its hand has gone. While `holds`, the next hand waits.
   */
  open({ title, moment = null, holds = false }, ...content) {
    if (this.element.hidden) this.#before = document.activeElement;
    const question = new Question(this, holds, (asked) => this.#question === asked);
    this.#ask(question);
    this.title.textContent = title;
    question.date(moment);
    question.fill(...content);
    this.body.scrollTop = 0;
    this.title.focus({ preventScroll: true });
    return question;
  }

  close() {
    if (this.element.hidden) return;
    const inside = this.element.contains(document.activeElement);
    this.#ask(null);
    if (inside && this.#before?.isConnected) this.#before.focus();
  }

  /** Compare what is shown with the newest view of the table. */
  show(view) {
    this.#view = view;
    this.mark();
  }

  #ask(question) {
    const held = this.#question?.holds ?? false;
    this.#question = question;
    this.element.hidden = question === null;
    if (held !== (question?.holds ?? false)) this.#onHold(!held);
  }

  /** Say when this was, and whether something waits for it. */
  mark() {
    const { moment = null, holds = false } = this.#question ?? {};
    const view = this.#view;
    const older = Boolean(
      moment && view && (moment.hand !== view.hand || (moment.step !== undefined && moment.step !== view.step)),
    );
    const when = [moment && `hand ${moment.hand}`, moment?.round].filter(Boolean).join(", ");
    this.when.hidden = !moment;
    this.when.textContent = older ? `From ${when}` : when.replace(/^h/, "H");
    this.when.classList.toggle("ribbon", older);
    this.waits.hidden = !(holds && view?.held && view.auto_deal && view.phase !== "closed");
  }
}

class Question {
  #panel;
  #stands;
  moment = null;

  constructor(panel, holds, stands) {
    this.#panel = panel;
    this.#stands = stands;
    this.holds = holds;
  }

  /** Whether the panel still shows this question. */
  get stands() {
    return this.#stands(this);
  }

  date(moment) {
    if (!this.stands) return;
    this.moment = moment;
    this.#panel.mark();
  }

  fill(...content) {
    if (this.stands) this.#panel.body.replaceChildren(...content);
  }
}
