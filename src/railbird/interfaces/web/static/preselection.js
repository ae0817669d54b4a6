/*
 * An action that the person chooses while others think, and that is done when the turn comes.
 *
 * It is meant for the price that was seen: when the price or the round changes it is dropped, except for "call any".
 */

import { chipsValue } from "./numbers.js";

/** What it costs the person to stay, as the table stands now. */
export function priceOf(view) {
  const own = view.chairs.find((chair) => chair.you);
  const most = Math.max(...view.chairs.map((chair) => chair.bet));
  return Math.min(most - own.bet, chipsValue(own.stack));
}

/** What can be chosen before the turn, with its words. */
export function choicesOf(view) {
  const price = priceOf(view);
  const opened = view.chairs.some((chair) => chair.bet > 0);
  return [
    { kind: "fold", words: price ? "Fold" : "Check/fold" },
    { kind: "call", words: price ? `Call ${price}` : "Check" },
    { kind: "call any", words: "Call any" },
    { kind: "raise", words: opened ? "Raise" : "Bet" },
  ];
}

export class Preselection {
  /** The chosen kind, or null. */
  kind = null;
  /** What the choice was called. */
  words = "";
  #seen = "";

  /** Choose a kind for the situation of this view, or take the choice back. */
  toggle(kind, view) {
    this.kind = this.kind === kind ? null : kind;
    this.words = choicesOf(view).find((choice) => choice.kind === kind).words;
    this.#seen = situationOf(view);
  }

  /** Drop a choice that was made for another price; says whether it did. */
  follow(view) {
    if (this.kind === null) return false;
    const [hand] = this.#seen.split(" ", 1);
    const other = this.kind === "call any" ? hand !== String(view.hand) : this.#seen !== situationOf(view);
    const dropped = view.phase !== "playing" || other;
    if (dropped) this.kind = null;
    return dropped;
  }

  /** What the choice comes to now that it is the person's turn; null where it cannot be done. It is used up. */
  take({ fold, call, raise }) {
    const kind = this.kind;
    this.kind = null;
    switch (kind) {
      case "fold":
        return { action: call && fold ? "fold" : "call" };
      case "call":
      case "call any":
        return { action: "call" };
      case "raise":
        return raise ? { action: "raise", to: raise.least } : null;
      default:
        return null;
    }
  }
}

function situationOf(view) {
  return `${view.hand} ${view.round} ${priceOf(view)}`;
}
