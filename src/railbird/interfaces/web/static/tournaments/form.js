/* A new tournament: its game, agents and length. */

import { specSelect } from "../bots/names.js";
import { Ratings } from "../bots/ratings.js";
import { make } from "../page/elements.js";
import { answerOf } from "../page/session_data.js";

const USUAL = { hands: 100, matches: 1 };
const FIRST = 4;

/** The form; it opens the page of the new tournament. */
export class NewTournament {
  #lobby;
  #bounds;

  constructor(lobby, bounds) {
    this.#lobby = lobby;
    this.#bounds = bounds;
    const games = lobby.games.flatMap((game) => game.seats.map((seats) => ({ seats, name: game.game[String(seats)], title: game.titles[String(seats)] })));
    this.games = [...new Map(games.map((game) => [game.name, game])).values()];
    const usual = this.games.find(({ name }) => name === "limit-2p") ?? this.games[0];
    const options = this.games.map(({ name, title }) => make("option", { value: name, selected: name === usual.name }, title));
    this.game = specSelect({ id: "tournament-game", onchange: () => this.#follow() }, options);
    this.agents = make("div", { class: "ticks" });
    this.more = make("input", { id: "tournament-more", type: "text", spellcheck: "false", autocomplete: "off", placeholder: "simbot:trials=50; pokibot:profile=tight" });
    this.hands = number("tournament-hands", USUAL.hands, bounds.hands);
    this.matches = number("tournament-matches", USUAL.matches, bounds.matches);
    this.seed = make("input", { id: "tournament-seed", type: "text", maxlength: 40, placeholder: "random", autocomplete: "off" });
    this.size = make("p", { class: "muted small-text", role: "status" });
    this.message = make("p", { class: "bad", role: "alert" });
    this.begin = make("button", { type: "submit", class: "primary" }, "Start");
    this.element = make(
      "form",
      { class: "panel stack new-tournament", onsubmit: (event) => this.#begin(event), oninput: () => this.#tellSize() },
      make("h2", {}, "New tournament"),
      field("Game", "tournament-game", this.game),
      make("fieldset", {}, make("legend", {}, "Bots"), this.agents),
      field("More bots, with parameters, separated by semicolons", "tournament-more", this.more),
      make("div", { class: "tournament-numbers" }, field("Deals per match", "tournament-hands", this.hands), field("Matches per table", "tournament-matches", this.matches), field("Seed", "tournament-seed", this.seed)),
      this.size,
      make("div", { class: "row" }, this.begin, this.message),
    );
    this.#follow();
  }

  /** Offer the agents that play the chosen game, the strongest first. */
  #follow() {
    const playing = this.#lobby.agents.filter(({ plays }) => plays.includes(this.game.value));
    const fitting = new Ratings(this.#lobby.ratings).ranked(playing, this.game.value);
    const before = new Set(this.#checked);
    const names = fitting.map(({ name }) => name);
    const kept = names.filter((name) => before.has(name));
    const chosen = new Set(kept.length ? kept : names.slice(0, Math.max(FIRST, this.#chosen.seats)));
    this.agents.replaceChildren(
      ...fitting.map(({ name, title, summary }) =>
        make("label", { class: "check named", title: `${name}: ${summary}` }, make("input", { type: "checkbox", value: name, checked: chosen.has(name) }), title),
      ),
    );
    this.#tellSize();
  }

  get #chosen() {
    return this.games.find(({ name }) => name === this.game.value);
  }

  get #checked() {
    return [...this.agents.querySelectorAll(":checked")].map(({ value }) => value);
  }

  get #specs() {
    const more = this.more.value.split(";").map((each) => each.trim());
    return [...this.#checked, ...more.filter(Boolean)];
  }

  #tellSize() {
    const { seats } = this.#chosen;
    const agents = this.#specs.length;
    const tables = choose(agents, seats);
    const seatings = seats <= 3 ? factorial(seats) : seats;
    const all = tables * seatings * Number(this.hands.value) * Number(this.matches.value);
    const enough = agents >= seats;
    this.size.textContent = enough
      ? `${agents} bots, ${tables.toLocaleString("en")} ${tables === 1 ? "table" : "tables"}, ${all.toLocaleString("en")} hands over all seatings (maximum ${this.#bounds.all_hands.toLocaleString("en")}).`
      : `${this.#chosen.title} needs at least ${seats} bots.`;
    this.begin.disabled = !enough || all > this.#bounds.all_hands || agents > this.#bounds.agents;
  }

  async #begin(event) {
    event.preventDefault();
    this.begin.disabled = true;
    this.message.textContent = "";
    const wanted = { game: this.game.value, agents: this.#specs, hands: Number(this.hands.value), matches: Number(this.matches.value), seed: this.seed.value.trim() };
    try {
      const { id } = await answerOf("/api/tournaments", wanted);
      location.hash = `#/tournament/${id}`;
    } catch (error) {
      this.message.textContent = error.message;
      this.begin.disabled = false;
    }
  }
}

function field(words, id, control) {
  return make("div", { class: "field" }, make("label", { for: id }, words), control);
}

function number(id, value, most) {
  return make("input", { id, type: "number", min: 1, max: most, step: 1, value, required: true });
}

function factorial(count) {
  return count < 2 ? 1 : count * factorial(count - 1);
}

function choose(all, some) {
  let ways = 1;
  for (let place = 0; place < some; place += 1) ways = (ways * (all - place)) / (place + 1);
  return all < some ? 0 : ways;
}
