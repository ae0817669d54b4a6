/*
 * An action that the person chooses before the turn, and that is performed when the turn comes.
 *
 * How long a choice is valid depends on its kind:
 *
 *   Fold         until the hand ends, whatever the bet becomes;
 *   Check/fold   until the street ends: it checks if that is free and folds to any bet;
 *   Call any     until the street ends, whatever the bet becomes;
 *   Check, Call N, Bet, Raise   until the bet changes or the street ends.
 *
 * No choice ever folds when checking is free.
 */

import { callWords } from "../words/action_words.js";
import { chipsValue } from "../words/numbers.js";

/** What it costs the person to call: at the turn as given by the server, before it as the table is now. */
export function priceOf(view) {
  if (view.actions) return view.actions.call;
  const own = view.chairs.find((chair) => chair.you);
  const most = Math.max(...view.chairs.map((chair) => chair.bet));
  return Math.min(most - own.bet, chipsValue(own.stack));
}

/** The choices before the turn, with their labels. */
export function choicesOf(view) {
  const price = priceOf(view);
  const opened = view.chairs.some((chair) => chair.bet > 0);
  return [
    { kind: "fold", words: price ? "Fold" : "Check/fold" },
    { kind: "call", words: callWords(price, view.chairs.find((chair) => chair.you).stack) },
    { kind: "call any", words: "Call any" },
    { kind: "raise", words: opened ? "Raise" : "Bet" },
  ];
}

export class Preselection {
  /** The chosen kind, or null. */
  kind = null;
  /** The label of the choice. */
  words = "";
  #hand = 0;
  #round = "";
  #price = 0;

  /** Choose a kind for the situation of this view, or undo the choice. */
  toggle(kind, view) {
    this.kind = this.kind === kind ? null : kind;
    this.words = choicesOf(view).find((choice) => choice.kind === kind).words;
    this.#hand = view.hand;
    this.#round = view.round;
    this.#price = priceOf(view);
  }

  /** Cancel a choice that is no longer valid; returns whether it was cancelled within its hand. */
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

  /** The action of the choice at the person's turn, or null if it is not possible. The choice is consumed. */
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
