/* Tables for a first evening: friendly, tougher and toughest, each begun with one press. */

import { make, unseen } from "../page/elements.js";

/** The recommended tables; `onChoose(opponents)` is called when one is chosen. */
export class Recommended {
  #ratings;
  #onChoose;

  constructor(ratings, onChoose) {
    this.#ratings = ratings;
    this.#onChoose = onChoose;
    this.list = make("ul", { class: "tables", role: "list" });
    this.none = make("p", { class: "note" }, "No bot here plays this game well yet. The ones below follow simple rules.");
    this.element = make(
      "section",
      { class: "stack recommended", "aria-labelledby": "recommended-title" },
      make("h2", { id: "recommended-title" }, "Recommended tables"),
      this.list,
      this.none,
    );
  }

  /** Offer the tables of a game such as `limit-6max` with a number of opponents. */
  follow(game, count, verb) {
    const tables = this.#ratings.tables(game);
    this.element.hidden = count === 0;
    this.none.hidden = tables.length > 0;
    this.list.hidden = !tables.length;
    this.list.replaceChildren(...tables.map((table) => this.#draw(table, game, count, verb)));
  }

  #draw({ id, title, about, opponents }, game, count, verb) {
    const seated = opponents.slice(0, count);
    return make(
      "li",
      { class: `recommended-table ${id}` },
      make("h3", {}, title),
      make("p", { class: "muted small-text" }, about),
      make(
        "ul",
        { class: "recommended-bots small-text" },
        seated.map((spec) => make("li", {}, this.#ratings.nameWithStars(spec, game))),
      ),
      make(
        "button",
        { type: "button", class: "primary", onclick: () => this.#onChoose(filled(seated, count)) },
        verb,
        unseen(` at the ${title.toLowerCase()} table`),
      ),
    );
  }
}

/** As many as there are seats, starting over if there are fewer. */
function filled(specs, count) {
  return Array.from({ length: count }, (_, seat) => specs[seat % specs.length]);
}
