/* How strong the agents are: their stars, and their order from the strongest to the weakest. */

import { make } from "../page/elements.js";
import { named, specSelect } from "./names.js";

const STARS = 5;
const UNRATED = "Not rated";

/** The ratings of all games, as the server gives them. */
export class Ratings {
  #data;

  constructor(data) {
    this.#data = data;
  }

  /** The ratings that hold for a game such as `limit-9max`; null if no agent plays it well. */
  #game(game) {
    const name = game.split(":", 1)[0];
    return this.#data.games[this.#data.rated[name]] ?? null;
  }

  /** Whether any agent plays the game well. */
  known(game) {
    return this.#game(game) !== null;
  }

  /** The tables recommended for a game, from friendly to toughest. */
  tables(game) {
    return this.#game(game)?.tables ?? [];
  }

  /** The rating of an agent, with other parameters than its own if need be; null if it has none. */
  of(spec, game) {
    const found = this.#game(game);
    return found?.agents[spec] ?? found?.agents[spec.split(":", 1)[0]] ?? null;
  }

  /** Agents from the strongest to the weakest, those without a rating last; each has its `strength` in words. */
  ranked(agents, game) {
    // The server lists ratings from the best to the worst.
    const order = Object.keys(this.#game(game)?.agents ?? {});
    const place = ({ name }) => (order.includes(name) ? order.indexOf(name) : order.length);
    return agents
      .toSorted((one, other) => place(one) - place(other))
      .map((agent) => ({ ...agent, strength: this.#strength(agent.name, game) }));
  }

  #strength(name, game) {
    const stars = this.of(name, game)?.stars;
    return stars ? `${"★".repeat(stars)} ${this.#data.meanings[stars]}` : UNRATED;
  }

  /** The stars of an agent, which tell their figure when they are pointed at, focused or tapped. */
  stars(spec, game) {
    const rating = this.of(spec, game);
    if (!rating) return make("span", { class: "stars muted" }, UNRATED);
    return named("", this.#figure(rating, game), this.#draw(rating, game));
  }

  /** The name of a rated agent with its stars, without a stop for the keyboard. */
  nameWithStars(spec, game) {
    const rating = this.of(spec, game);
    return [make("span", { title: spec }, rating.title), this.#draw(rating, game)];
  }

  #draw(rating, game) {
    const label = `${rating.stars} of ${STARS} stars: ${this.#data.meanings[rating.stars]}`;
    return make(
      "span",
      { class: "stars", role: "img", "aria-label": label, title: this.#figure(rating, game) },
      make("span", { class: "stars-full" }, "★".repeat(rating.stars)),
      "☆".repeat(STARS - rating.stars),
    );
  }

  /** The figure behind the stars: `+0.10 ± 0.02 small bets per hand in a tournament of …`. */
  #figure({ mean, margin, hands }, game) {
    const { unit, field } = this.#game(game);
    const rate = `${mean < 0 ? "−" : "+"}${Math.abs(mean).toFixed(2)} ± ${margin.toFixed(2)} ${unit}`;
    return `${rate} in a tournament of ${field} bots (${hands.toLocaleString("en")} hands)`;
  }
}

/** A `select` for ranked agents, grouped by their strength; `specOf` gives the spec if it is not only a name. */
export function agentSelect(attributes, ranked, chosen, specOf) {
  const groups = Map.groupBy(ranked, ({ strength }) => strength);
  const options = [...groups].map(([label, agents]) =>
    make(
      "optgroup",
      { label },
      agents.map(({ name, title }) => make("option", { value: name, selected: name === chosen }, title)),
    ),
  );
  return specSelect(attributes, options, specOf);
}
