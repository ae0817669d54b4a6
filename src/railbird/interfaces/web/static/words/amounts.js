/* Chips at the table: bets and pots. */

import { chipsValue } from "./numbers.js";

/** An amount of chips: `1,990`, `12½`, `7 1/3`. */
export function formatAmount(chips) {
  const value = chipsValue(chips);
  const whole = Math.floor(value);
  if (value === whole) return whole.toLocaleString("en");
  const [top, bottom] = String(chips).split("/").map(Number);
  const front = whole ? whole.toLocaleString("en") : "";
  return bottom === 2 ? `${front}½` : `${front} ${top - whole * bottom}/${bottom}`.trim();
}

/** The colour class of a result: good, bad or neither. */
export function colourOf(chips) {
  const value = chipsValue(chips);
  return value > 0 ? "good" : value < 0 ? "bad" : "muted";
}
