/* The opponents: an agent for each seat, with its stars, its description, its paper, and its parameters as text. */

import { drawParameters } from "../bots/parameters.js";
import { agentSelect } from "../bots/ratings.js";
import { STARS, termLink } from "../help/glossary.js";
import { make } from "../page/elements.js";

/** The seats of a new table. */
export class Opponents {
  #agents;
  #usual;
  #ratings;
  #rows = [];

  /** `agents` are all agents, `usual` the default opponents by game, `ratings` how strong agents are. */
  constructor(agents, usual, ratings) {
    this.#agents = agents;
    this.#usual = usual;
    this.#ratings = ratings;
    this.list = make("ol", { class: "opponents", role: "list" });
    const everywhere = (specs) => () => this.seat(specs(), this.#rows.length);
    this.element = make(
      "fieldset",
      { class: "stack" },
      make("legend", {}, "Or choose your opponents"),
      make(
        "div",
        { class: "row" },
        make("button", { type: "button", class: "small", onclick: everywhere(() => this.#mix()) }, "Good mix"),
        make(
          "button",
          { type: "button", class: "small", onclick: everywhere(() => shuffled(this.#names())) },
          "Surprise me",
        ),
        make(
          "button",
          { type: "button", class: "small", onclick: everywhere(() => [this.specs[0]]) },
          "Same as the first",
        ),
        termLink(STARS, "What do the stars mean?"),
      ),
      this.list,
    );
  }

  /** Offer the agents that play a game such as `limit-6max`, the strongest first, and fill its seats.
   *
   * While the kind of game stays the same, so do seated agents that play the game. */
  follow(kind, game, count) {
    const seated = kind === this.kind ? this.specs : [];
    [this.kind, this.game] = [kind, game];
    const names = this.#names();
    const kept = seated.filter((spec) => names.includes(nameOf(spec)));
    this.seat([...kept, ...this.#mix(kept.length)], count);
  }

  /** Seat these agents, starting over if there are fewer of them than seats. */
  seat(specs, count) {
    this.#rows = Array.from(
      { length: count },
      (_, chair) => new Opponent(chair, this.#fitting(), specs[chair % specs.length], this.#ratings, this.game),
    );
    this.list.replaceChildren(...this.#rows.map((row) => row.element));
  }

  /** Seat one agent in the first seat, if it plays this game. */
  seatFirst(name) {
    if (this.#names().includes(name)) this.seat([name, ...this.specs.slice(1)], this.#rows.length);
  }

  /** A usual opponent of this game. */
  get usual() {
    return this.#mix()[0];
  }

  /** The agents as specs for the server: `pokibot:profile=loose-passive`. */
  get specs() {
    return this.#rows.map((row) => row.spec);
  }

  #fitting() {
    const playing = this.#agents.filter(({ plays }) => plays.includes(this.game));
    return this.#ratings.ranked(playing, this.game);
  }

  #names() {
    return this.#fitting().map(({ name }) => name);
  }

  /** The default opponents of this game, from an index on. */
  #mix(from = 0) {
    const usual = this.#usual[this.game];
    return usual.map((_, place) => usual[(from + place) % usual.length]);
  }
}

class Opponent {
  #agents;
  #ratings;
  #game;

  constructor(chair, agents, spec, ratings, game) {
    this.#agents = agents;
    this.#ratings = ratings;
    this.#game = game;
    const [name, ...parameters] = spec.split(":");
    const id = `opponent-${chair}`;
    this.choice = agentSelect({ id, onchange: () => this.#tell("") }, agents, name, () => this.spec);
    this.strength = make("span", { class: "opponent-stars" });
    this.about = make("p", { class: "about" });
    this.parameters = make(
      "input",
      { type: "text", id: `${id}-parameters`, spellcheck: "false", autocomplete: "off", maxlength: 200 },
    );
    this.summary = make("summary");
    this.parameters.addEventListener("input", () => this.#tellParameters());
    this.known = make("div");
    this.more = make(
      "details",
      { class: "parameters" },
      this.summary,
      make("label", { for: `${id}-parameters`, class: "unseen" }, `Parameters of opponent ${chair + 1}`),
      this.parameters,
      this.known,
    );
    this.element = make(
      "li",
      { class: "opponent" },
      make("label", { for: id, class: "seat-number" }, make("span", { class: "unseen" }, "Seat "), String(chair + 1)),
      this.choice,
      this.strength,
      this.about,
      this.more,
    );
    this.#tell(parameters.join(":"));
  }

  get spec() {
    const parameters = this.parameters.value.trim();
    return parameters ? `${this.choice.value}:${parameters}` : this.choice.value;
  }

  #tell(parameters) {
    const agent = this.#agents.find(({ name }) => name === this.choice.value);
    this.about.replaceChildren(
      agent?.summary ?? "",
      agent?.papers.length ? make("span", { class: "paper" }, ` ${agent.papers[0]}`) : "",
    );
    const usual = agent?.parameters ?? [];
    this.parameters.value = parameters;
    this.parameters.placeholder = "name=value, name=value";
    this.known.replaceChildren(drawParameters(usual));
    this.more.hidden = usual.length === 0;
    this.#tellParameters();
  }

  #tellParameters() {
    const own = this.parameters.value.trim();
    this.choice.title = this.spec;
    this.summary.textContent = own ? `Parameters: ${own}` : "Parameters";
    this.strength.replaceChildren(this.#ratings.stars(this.spec, this.#game));
  }
}

function nameOf(spec) {
  return spec.split(":", 1)[0];
}

function shuffled(values) {
  const left = [...values];
  const drawn = [];
  while (left.length) drawn.push(...left.splice(Math.floor(Math.random() * left.length), 1));
  return drawn;
}
