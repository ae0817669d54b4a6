/* The people at a table that several share: the invitation, the turn clock, sitting out, and leaving. */

import { announce, urge } from "../page/announce.js";
import { copyText } from "../page/copying.js";
import { openDialog } from "../page/dialog.js";
import { make, useStyle } from "../page/elements.js";
import { formatCount } from "../words/numbers.js";

/** Seconds before the end of a turn at which its player is told. */
const WARNING = 5;
const TICK = 250;

export class Together {
  #ask;
  #view = null;
  #drawn = "";
  #end = null;
  #warned = false;
  #timer = null;
  #dialog = null;

  /** `ask(type, fields)` sends to the server and returns whether it agreed. */
  constructor(ask) {
    useStyle("table/together.css");
    this.#ask = ask;
    this.clock = make("p", { class: "turn-clock idle", role: "timer" });
    this.people = make("div", { class: "row together-people" });
    this.element = make("section", { class: "together", "aria-label": "People", hidden: true }, this.people, this.clock);
  }

  /** Follow a view of the table; other tables show nothing. */
  show(view) {
    this.#view = view;
    this.element.hidden = !view.together;
    if (!view.together) return;
    const drawn = JSON.stringify([view.together, view.phase]);
    if (drawn !== this.#drawn) {
      this.#drawn = drawn;
      this.#draw();
    }
    this.#follow(view.clock);
  }

  /** Stop the clock. */
  end() {
    clearInterval(this.#timer);
  }

  get #own() {
    const chair = this.#view.chairs.find(({ you }) => you)?.chair;
    return this.#view.together.people.find((person) => person.chair === chair);
  }

  #draw() {
    const { host, invitation, free, people } = this.#view.together;
    const focused = document.activeElement?.dataset?.name;
    const out = this.#own?.out ?? false;
    this.people.replaceChildren(
      ...[
        make("span", { class: "muted" }, peopleWords(people.length, free)),
        host && free ? button("invite", "Copy invitation link", () => this.#invite(invitation)) : null,
        button("sit-out", out ? "Come back" : "Sit out", () => this.#ask("sit-out", { out: !out })),
        button("people", "People", () => this.#open()),
      ].filter(Boolean),
    );
    if (focused) this.people.querySelector(`[data-name="${focused}"]`)?.focus({ preventScroll: true });
    if (this.#dialog?.open) this.#dialog.querySelector(".people-list").replaceWith(this.#list());
  }

  async #invite(invitation) {
    await copyText(linkOf(invitation), "Invitation link");
  }

  #open() {
    const { host, invitation } = this.#view.together;
    const leave = async () => {
      this.#dialog.close();
      const { session } = this.#view;
      if (await this.#ask("leave")) location.hash = `#/session/${session}`;
    };
    this.#dialog = openDialog(
      "People",
      make(
        "div",
        { class: "stack" },
        this.#list(),
        host
          ? make(
            "div",
            { class: "field" },
            make("label", { for: "invitation-link" }, "Invitation link: anyone who opens it can take a free seat"),
            make("input", { id: "invitation-link", readonly: true, value: linkOf(invitation) }),
            button("copy", "Copy", () => this.#invite(invitation)),
          )
          : null,
        host
          ? make("p", { class: "muted small-text" }, "To end the session for everyone, open Options.")
          : button("leave", "Leave the table", leave),
      ),
    );
  }

  #list() {
    const { host, people } = this.#view.together;
    const remove = (name) => button(`remove ${name}`, `Remove ${name}`, () => this.#remove(name));
    return make(
      "ul",
      { class: "people-list", role: "list" },
      people.map((person) =>
        make(
          "li",
          { class: "row" },
          make("strong", {}, person.name),
          make("span", { class: "muted" }, stateWords(person)),
          host && !person.host ? remove(person.name) : null,
        ),
      ),
    );
  }

  async #remove(name) {
    if (await this.#ask("remove", { name })) announce(`${name} was removed`);
    else this.#dialog?.close();
  }

  #follow(clock) {
    clearInterval(this.#timer);
    // Its place stays, so that the table does not move.
    this.clock.classList.toggle("idle", !clock);
    this.#end = clock && Date.now() + clock.left * 1000;
    if (!clock) {
      this.#warned = false;
      return;
    }
    const { name, you } = this.#view.chairs[clock.chair];
    const tick = () => {
      const left = Math.max(0, Math.ceil((this.#end - Date.now()) / 1000));
      this.clock.textContent = `${you ? "Your turn" : name}: ${left} s`;
      this.clock.style.setProperty("--left", `${(100 * left) / clock.seconds}%`);
      this.clock.classList.toggle("short", left <= WARNING);
      if (you && left <= WARNING && !this.#warned) {
        this.#warned = true;
        urge(`${formatCount(left, "second")} left`);
      }
    };
    tick();
    this.#timer = setInterval(tick, TICK);
  }
}

function linkOf(invitation) {
  return new URL(`/#/invite/${invitation}`, location.href).href;
}

function peopleWords(people, free) {
  const seats = free ? `, ${free} free ${free === 1 ? "seat" : "seats"}` : "";
  return `${people} ${people === 1 ? "person" : "people"}${seats}`;
}

function stateWords({ host, out, away }) {
  return [host ? "host" : "", out ? "sitting out" : "", away ? "away" : ""].filter(Boolean).join(", ");
}

function button(name, words, onclick) {
  return make("button", { type: "button", class: "small", "data-name": name, onclick }, words);
}
