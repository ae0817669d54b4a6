/* What the pages ask the server, and cards in a line of text. */

import { drawCard } from "./cards.js";
import { make } from "./elements.js";

/**
 * The answer of the server as data; with `question`, that is sent, as a POST unless another method is named. What the
 * server refuses is an error with its sentence.
 */
export async function answerOf(address, question = null, method = question === null ? "GET" : "POST") {
  const options = { method };
  if (question !== null) {
    options.headers = { "Content-Type": "application/json" };
    options.body = JSON.stringify(question);
  }
  const answer = await fetch(address, options).catch(() => {
    throw new Error("The server does not answer.");
  });
  const data = await answer.json().catch(() => null);
  if (!answer.ok) throw new Error(data?.error ?? `The server answered ${answer.status}.`);
  return data;
}

/** The agents that play a game such as `limit-6max`; all of them where the game is none of the lobby's. */
export async function agentsFor(game) {
  const { agents } = await answerOf("/api/agents");
  const kinds = kindsOf(game);
  const fitting = agents.filter(({ plays }) => plays.some((kind) => kinds.includes(kind)));
  return fitting.length ? fitting : agents;
}

/** The lobby's kinds of a game: `limit-3p` is a ring game as well as the game of three. */
function kindsOf(game) {
  const [, family, seats] = game.match(/^(\w+)-(\d+)(?:p|max)(?::|$)/) ?? [];
  if (!family) return [];
  return [`${family}-ring`, ...({ 2: [`${family}-heads-up`], 3: [`${family}-three`] }[seats] ?? [])];
}

/** Cards in a line. */
export function cardsOf(cards) {
  return make("span", { class: "cards-line" }, cards.map((card) => drawCard(card)));
}
