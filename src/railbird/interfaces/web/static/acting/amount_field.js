/* How much to bet: a number, a slider and the player's presets. */

import { make } from "../page/elements.js";
import { raiseWords } from "../words/action_words.js";
import { formatAmount } from "../words/amounts.js";
import { presetsFor } from "./presets.js";

const STEPS = 1000;
/** With fewer big blinds to choose from, the slider stops at half blinds too. */
const FEW_BLINDS = 20;
const ARROWS = { ArrowUp: 1, ArrowDown: -1, ArrowRight: 1, ArrowLeft: -1 };

/**
 * The fields of a raise. The slider is logarithmic, finer for small amounts, and stops at big blinds; arrow keys go
 * from one stop to the next. Any legal amount can be typed.
 */
export class AmountField {
  /** `offer` is the raise of the view's actions; `onChange` is called when the amount changes. */
  constructor(offer, street, onChange) {
    const { least, most, big_blind: blind } = offer;
    this.least = least;
    this.most = most;
    this.stop = most - least < FEW_BLINDS * blind && blind % 2 === 0 ? blind / 2 : blind;
    this.onChange = onChange;
    this.number = make("input", {
      type: "number",
      class: "amount-number",
      inputmode: "numeric",
      min: least,
      max: most,
      step: 1,
      value: least,
      "aria-label": `Amount, ${formatAmount(least)} to ${formatAmount(most)}`,
      oninput: () => this.#numberChanged(),
      onkeydown: (event) => this.#hear(event),
    });
    this.slider = make("input", {
      type: "range",
      class: "amount-slider",
      min: 0,
      max: STEPS,
      value: 0,
      "aria-label": "Amount",
      oninput: () => this.set(this.#amountAt(Number(this.slider.value))),
      onkeydown: (event) => this.#hear(event),
    });
    const buttons = presetsFor(street, offer).map(({ name, to }) =>
      make("button", { type: "button", class: "small", onclick: () => this.set(to), title: raiseWords(offer, to) }, name),
    );
    this.element = make(
      "div",
      { class: "amount" },
      make("div", { class: "presets" }, buttons),
      this.slider,
      this.number,
    );
    this.#tellSlider();
  }

  /** The amount, or null while the number is not legal. */
  get value() {
    const value = Number(this.number.value);
    return Number.isInteger(value) && value >= this.least && value <= this.most ? value : null;
  }

  /** Whether an amount is being chosen. */
  get hasFocus() {
    return [this.number, this.slider].includes(document.activeElement);
  }

  set(amount) {
    this.number.value = String(amount);
    this.#numberChanged();
  }

  /** Start an amount with this digit. */
  type(digit) {
    this.number.focus();
    this.number.value = digit;
    this.#numberChanged();
  }

  /** Arrow keys go to the next stop; in the number, left and right move the cursor. */
  #hear(event) {
    const way = ARROWS[event.key];
    const moves = event.target === this.slider || event.key === "ArrowUp" || event.key === "ArrowDown";
    if (!way || !moves) return;
    event.preventDefault();
    const stops = (this.value ?? this.least) / this.stop;
    this.set(this.#within(this.stop * (way > 0 ? Math.floor(stops) + 1 : Math.ceil(stops) - 1)));
  }

  #numberChanged() {
    const { value } = this;
    this.number.setAttribute("aria-invalid", value === null);
    if (value !== null) {
      this.slider.value = String(this.#stepOf(value));
      this.#tellSlider();
    }
    this.onChange();
  }

  #tellSlider() {
    this.slider.setAttribute("aria-valuetext", formatAmount(this.value ?? this.least));
  }

  #within(amount) {
    return Math.min(this.most, Math.max(this.least, amount));
  }

  #amountAt(step) {
    if (step === 0) return this.least;
    if (step === STEPS) return this.most;
    const amount = this.least * (this.most / this.least) ** (step / STEPS);
    return this.#within(this.stop * Math.round(amount / this.stop));
  }

  #stepOf(amount) {
    return Math.round((STEPS * Math.log(amount / this.least)) / Math.log(this.most / this.least));
  }
}
