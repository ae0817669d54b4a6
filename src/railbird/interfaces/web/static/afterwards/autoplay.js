/* Steps through a hand by itself: play, pause and speed. */

import { make } from "../page/elements.js";
import { remember, remembered } from "../page/preferences.js";

/** Milliseconds for a step. */
const SPEEDS = { slow: ["Slow", 2500], normal: ["Normal", 1400], fast: ["Fast", 600] };

export class Autoplay {
  #timer = null;
  #step;

  /** `step` goes one step on and returns whether there is another one. */
  constructor(step) {
    this.#step = step;
    const usual = remembered("replay-speed", "normal");
    this.button = make("button", { type: "button", class: "primary autoplay", onclick: () => this.toggle() }, "Play");
    this.speed = make(
      "select",
      { id: "replay-speed", onchange: () => remember("replay-speed", this.speed.value) },
      Object.entries(SPEEDS).map(([id, [title]]) => make("option", { value: id, selected: id === usual }, title)),
    );
    this.element = make(
      "div",
      { class: "row" },
      this.button,
      make("label", { for: "replay-speed", class: "muted" }, "Speed"),
      this.speed,
    );
  }

  get isPlaying() {
    return this.#timer !== null;
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.#goOn();
  }

  pause() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.button.textContent = "Play";
  }

  #goOn() {
    if (!this.#step()) {
      this.pause();
      return;
    }
    this.button.textContent = "Pause";
    const [, pause] = SPEEDS[this.speed.value] ?? SPEEDS.normal;
    this.#timer = setTimeout(() => this.#goOn(), pause);
  }
}
