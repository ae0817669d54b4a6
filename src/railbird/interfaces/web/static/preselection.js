/*
 * An action that the person chooses while others think, and that is done when the turn comes.
 *
 * How long a choice stands depends on what it was made for:
 *
 *   Fold         until the hand ends, whatever the price becomes;
 *   Check/fold   until the round ends: it checks where that is free and folds to any bet;
 *   Call any     until the round ends, whatever the price becomes: the next board card deserves a look;
 *   Check, Call N, Bet, Raise   until the price changes or the round ends.
 *
 * Nothing ever folds where checking is free.
 */

import { chipsValue } from "./numbers.js";

/** What it costs the person to stay: at the turn what the server asks for, before it as the table stands now. */
export function priceOf(view) {
  if (view.actions) return view.actions.call;
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
    { kind: "call", words: price ? `Call ${price.toLocaleString("en")}` : "Check" },
    { kind: "call any", words: "Call any" },
    { kind: "raise", words: opened ? "Raise" : "Bet" },
  ];
}

export class Preselection {
  /** The chosen kind, or null. */
  kind = null;
  /** What the choice was called. */
  words = "";
  #hand = 0;
  #round = "";
  #price = 0;

  /** Choose a kind for the situation of this view, or take the choice back. */
  toggle(kind, view) {
    this.kind = this.kind === kind ? null : kind;
    this.words = choicesOf(view).find((choice) => choice.kind === kind).words;
    this.#hand = view.hand;
    this.#round = view.round;
    this.#price = priceOf(view);
  }

  /** Drop a choice that was made for something else; says whether it was dropped within its hand. */
  follow(view) {
    if (this.kind === null || this.#stands(view)) return false;
    this.kind = null;
    return view.phase === "playing" && view.hand === this.#hand;
  }

  #stands(view) {
    if (view.phase !== "playing" || view.hand !== this.#hand) return false;
    if (this.kind === "fold" && this.#price > 0) return true;
    if (view.round !== this.#round) return false;
    return this.kind === "fold" || this.kind === "call any" || priceOf(view) === this.#price;
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
