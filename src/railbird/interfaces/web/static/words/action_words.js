/* The person's actions in words, as the history has them: "Call 300 all-in", "Raise to 450", "All-in 19,700". */

import { formatAmount } from "./amounts.js";
import { chipsValue } from "./numbers.js";

/** A call or a check; `stack` is what the person has left. */
export function callWords(call, stack) {
  if (!call) return "Check";
  return `Call ${formatAmount(call)}${call === chipsValue(stack) ? " all-in" : ""}`;
}

/** A bet or a raise of the view's actions; while no legal amount is chosen, it has none. */
export function raiseWords({ verb, most, all_in: allIn }, to) {
  if (to === null) return verb === "bet" ? "Bet" : "Raise";
  if (allIn && to === most) return `All-in ${formatAmount(to)}`;
  return verb === "bet" ? `Bet ${formatAmount(to)}` : `Raise to ${formatAmount(to)}`;
}
