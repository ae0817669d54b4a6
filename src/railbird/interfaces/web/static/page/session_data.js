/* Requests to the server, and cards in a line of text. */

import { Ratings } from "../bots/ratings.js";
import { sentence } from "../words/sentences.js";
import { drawCard } from "./cards.js";
import { make } from "./elements.js";

/**
 * The server's answer as data; `question` is sent as a POST unless another method is given. A refusal is thrown as an
 * error with the server's message.
 */
export async function answerOf(address, question = null, method = question === null ? "GET" : "POST") {
  const options = { method };
  if (question !== null) {
    options.headers = { "Content-Type": "application/json" };
    options.body = JSON.stringify(question);
  }
  const answer = await fetch(address, options).catch(() => {
    throw new Error("The server is not responding.");
  });
  const data = await answer.json().catch(() => null);
  if (!answer.ok) throw new Error(sentence(data?.error ?? `The server answered ${answer.status}`));
  return data;
}

/** The agents that play a game such as `limit-6max`, the strongest first; all agents if the game is not in the lobby. */
export async function agentsFor(game) {
  const { agents, ratings } = await answerOf("/api/agents");
  const fitting = agents.filter(({ plays }) => plays.includes(game.split(":", 1)[0]));
  return new Ratings(ratings).ranked(fitting.length ? fitting : agents, game);
}

/** Cards in a line. */
export function cardsOf(cards) {
  return make("span", { class: "cards-line" }, cards.map((card) => drawCard(card)));
}
