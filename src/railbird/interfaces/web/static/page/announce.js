/* Announcements for screen readers: events politely and in order, prompts immediately. */

import { callWords, raiseWords } from "../words/action_words.js";
import { formatAmount } from "../words/amounts.js";
import { nameOfCards } from "./cards.js";
import { make } from "./elements.js";

const KEPT = 40;
const VERBS = { is: "are", goes: "go" };
const STATES = { folded: "folded", "all-in": "all-in", out: "not in this hand" };

/** Announce politely. */
export function announce(text) {
  const region = document.getElementById("announcements");
  region.append(make("p", {}, text));
  while (region.childElementCount > KEPT) region.firstElementChild.remove();
}

/** Announce immediately. */
export function urge(text) {
  document.getElementById("urgent").replaceChildren(make("p", {}, text));
}

/** Clear all announcements, because another page is shown. */
export function hush() {
  document.getElementById("announcements").replaceChildren();
  document.getElementById("urgent").replaceChildren();
}

/** An event of the log in words, including its cards. */
export function sayEvent(event) {
  const words = wordsOf(event);
  return event.cards.length ? `${words} ${nameOfCards(event.cards)}` : words;
}

/** The text of an event without the cards at its end; a player named "You" is addressed as such. */
export function wordsOf({ text, cards }) {
  const end = cards.join(" ");
  const words = text.endsWith(end) ? text.slice(0, text.length - end.length).trimEnd() : text;
  return words
    .replace(/^You (\w+s)\b/, (_, verb) => `You ${VERBS[verb] ?? verb.slice(0, -1)}`)
    .replace(/ to You\b/, " to you");
}

/** The person's actions in words. */
export function sayActions({ actions: { fold, call, raise }, chairs }) {
  const choices = fold ? ["fold"] : [];
  choices.push(callWords(call, chairs.find((chair) => chair.you).stack).toLowerCase());
  if (raise) {
    const most = raise.least < raise.most ? ` to ${formatAmount(raise.most)}` : "";
    choices.push(raiseWords(raise, raise.least).toLowerCase() + most);
  }
  return choices.join(", ");
}

/** A description of the whole table. */
export function saySituation(view) {
  const words = [view.hand ? `Hand ${view.hand}, ${view.round}.` : "No hand yet."];
  const own = view.chairs.find((chair) => chair.you);
  if (own?.cards.length) words.push(`Your cards: ${nameOfCards(own.cards)}${own.made ? `, ${own.made}` : ""}.`);
  words.push(view.board.length ? `Board: ${nameOfCards(view.board)}.` : "No board yet.");
  words.push(`Pot ${formatAmount(view.pot)}.`);
  for (const chair of view.chairs.filter(({ state }) => state !== "free")) {
    const parts = [chair.you ? "You" : chair.name, `${formatAmount(chair.stack)} chips`];
    if (chair.bet) parts.push(`bet ${formatAmount(chair.bet)}`);
    if (chair.state in STATES) parts.push(STATES[chair.state]);
    if (chair.chair === view.button) parts.push("button");
    if (chair.chair === view.to_act) parts.push("to act");
    words.push(`${parts.join(", ")}.`);
  }
  if (view.actions) words.push(`You can ${sayActions(view)}.`);
  return words.join(" ");
}

/** Follows the views of one table and announces what is new in each. */
export class Announcer {
  #hand = null;
  #said = 0;
  #asked = "";

  hear(view) {
    if (this.#hand === null) {
      announce(saySituation(view));
    } else {
      if (view.hand !== this.#hand) this.#said = 0;
      for (const event of view.log.slice(this.#said)) announce(sayEvent(event));
    }
    this.#hand = view.hand;
    this.#said = view.log.length;
    const asked = view.actions ? `${view.hand} ${view.step}` : "";
    if (asked && asked !== this.#asked) urge(`Your turn: ${sayActions(view)}.`);
    this.#asked = asked;
  }
}
