/* What a host chooses for a table with several people: seats, clock, empty seats, and what everybody may use. */

import { make } from "../page/elements.js";

const CLOCKS = [
  [0, "No limit"],
  [15, "15 seconds"],
  [30, "30 seconds"],
  [60, "60 seconds"],
];

export class Sharing {
  /** `onSeats` is called when the number of seats for people has changed. */
  constructor(onSeats) {
    this.people = make("select", { id: "people-seats", onchange: onSeats });
    this.clock = make(
      "select",
      { id: "turn-clock" },
      CLOCKS.map(([seconds, words]) => make("option", { value: seconds, selected: seconds === 30 }, words)),
    );
    this.fill = make("input", { type: "checkbox" });
    this.advice = make("input", { type: "checkbox" });
    this.statistics = make("input", { type: "checkbox" });
    this.element = make(
      "fieldset",
      { class: "stack sharing", hidden: true },
      make("legend", {}, "Table for several people"),
      field("Seats for people, including yours", this.people),
      field("Time for each decision", this.clock),
      check(this.fill, "Bots take seats that are still empty at the first hand"),
      check(this.advice, "Everyone may use the advisor and hand strength"),
      check(this.statistics, "Everyone sees statistics of the others"),
      make("p", { class: "muted small-text" }, "At the table you get an invitation link to send to the others."),
    );
  }

  /** Offer seats for two people and more at a table of this size. */
  follow(seats) {
    const before = Math.max(2, Math.min(this.seats || 2, seats));
    const choices = Array.from({ length: seats - 1 }, (_, place) => place + 2);
    this.people.replaceChildren(
      ...choices.map((count) => make("option", { value: count, selected: count === before }, String(count))),
    );
  }

  /** The number of seats for people. */
  get seats() {
    return Number(this.people.value);
  }

  /** The choices for the server; `bot` takes empty seats if the host wants that. */
  choices(bot) {
    return {
      seats: this.seats,
      clock: Number(this.clock.value),
      fill: this.fill.checked ? bot : "",
      advice: this.advice.checked,
      statistics: this.statistics.checked,
    };
  }
}

function field(words, control) {
  return make("div", { class: "field" }, make("label", { for: control.id }, words), control);
}

function check(box, words) {
  return make("label", { class: "check" }, box, words);
}
