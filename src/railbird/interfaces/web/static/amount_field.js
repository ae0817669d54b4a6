/* How much to bet: a number, a slider and the named amounts. */

import { formatAmount } from "./amounts.js";
import { make } from "./elements.js";

const STEPS = 200;

/** The fields of a raise. The slider is logarithmic: finer for small amounts. */
export class AmountField {
  /** `offer` is the raise of the view's actions; `onChange` is called when the amount changes. */
  constructor({ least, most, presets }, onChange) {
    this.least = least;
    this.most = most;
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
    });
    this.slider = make("input", {
      type: "range",
      class: "amount-slider",
      min: 0,
      max: STEPS,
      value: 0,
      "aria-label": "Amount",
      oninput: () => this.set(this.#amountAt(Number(this.slider.value))),
    });
    const buttons = presets.map(({ name, to }) =>
      make("button", { type: "button", class: "small", onclick: () => this.set(to), title: formatAmount(to) }, name),
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

  #amountAt(step) {
    if (step === 0) return this.least;
    if (step === STEPS) return this.most;
    return Math.round(this.least * (this.most / this.least) ** (step / STEPS));
  }

  #stepOf(amount) {
    return Math.round((STEPS * Math.log(amount / this.least)) / Math.log(this.most / this.least));
  }
}
