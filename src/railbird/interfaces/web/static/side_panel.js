/* A panel next to the table, on narrow screens a drawer over it: reasons, advice, the strength of a hand. */

import { make } from "./elements.js";

export class SidePanel {
  #before = null;

  constructor() {
    this.title = make("h2", { tabindex: "-1" });
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
      this.body,
    );
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  /** Show content below a title, and move the focus there. */
  open(title, ...content) {
    if (this.element.hidden) this.#before = document.activeElement;
    this.element.hidden = false;
    this.title.textContent = title;
    this.body.replaceChildren(...content);
    this.body.scrollTop = 0;
    this.title.focus({ preventScroll: true });
  }

  close() {
    if (this.element.hidden) return;
    const inside = this.element.contains(document.activeElement);
    this.element.hidden = true;
    if (inside && this.#before?.isConnected) this.#before.focus();
  }
}
