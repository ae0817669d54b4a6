/*
 * What happens at the table, as motion: cards are dealt and turned, chips go to the pot and to the winner.
 *
 * A `Motion` is made before the table is redrawn and played afterwards. Only transforms are animated, so everything is
 * visible all the time; the table itself is always drawn as it is now, and chips in motion are copies above it.
 */

import { make } from "../page/elements.js";

const DEALT = 260;
const BETWEEN_CARDS = 70;
const TURNED = 240;
const BET = 200;
const COLLECTED = 360;
const EASING = "cubic-bezier(0.2, 0.7, 0.3, 1)";
const CARDS = ".card:not(.place)";

/** Whether anything moves: not at instant speed, while forwarding, or with reduced motion. */
export function moves(view) {
  const still = view.speed === "instant" || view.forwarding;
  return !still && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class Motion {
  #table;
  #before;
  #held;
  #bets;
  #over;

  /** Remember the table as it is drawn. */
  constructor(table) {
    this.#table = table;
    this.#before = new Set(table.querySelectorAll(`${CARDS}, .bet`));
    this.#held = chairsOf(table).map((chair) => handOf(chair.querySelector(".holding .card")));
    this.#bets = chairsOf(table).map((chair) => {
      const bet = chair.querySelector(".bet");
      return bet && { copy: bet.cloneNode(true), box: bet.getBoundingClientRect() };
    });
    this.#over = Boolean(table.querySelector(".winner"));
  }

  /** Move from there to what is drawn now. */
  play() {
    this.#deal();
    const chairs = chairsOf(this.#table);
    chairs.forEach((chair) => this.#bet(chair));
    const collected = this.#bets.filter((bet, number) => bet && !chairs[number]?.querySelector(".bet"));
    const pot = this.#table.querySelector(".pot");
    for (const { copy, box } of collected) this.#send(copy, box, pot.getBoundingClientRect());
    if (!this.#over) this.#award(chairs, pot, collected.length ? COLLECTED : 0);
  }

  get #layer() {
    return this.#table.parentElement;
  }

  /** New cards come from the middle of the table, one after the other; those that were face down are turned. */
  #deal() {
    const middle = centreOf(this.#table.querySelector(".middle").getBoundingClientRect());
    const turned = (card) => {
      const chair = card.closest(".chair");
      return chair && this.#held[chairsOf(this.#table).indexOf(chair)] === handOf(card);
    };
    const fresh = [...this.#table.querySelectorAll(CARDS)].filter((card) => !this.#before.has(card));
    fresh.filter(turned).forEach((card) => {
      card.animate({ transform: ["rotateY(90deg)", "none"] }, { duration: TURNED, easing: EASING });
    });
    fresh.filter((card) => !turned(card)).forEach((card, number) => {
      const transform = [between(centreOf(card.getBoundingClientRect()), middle), "none"];
      const delay = number * BETWEEN_CARDS;
      card.animate({ transform }, { duration: DEALT, delay, easing: EASING, fill: "backwards" });
    });
  }

  /** A new bet comes from its player. */
  #bet(chair) {
    const bet = chair.querySelector(".bet");
    if (!bet || this.#before.has(bet)) return;
    const [from, to] = [chair.querySelector(".plate"), bet].map((each) => centreOf(each.getBoundingClientRect()));
    bet.animate({ transform: [between(to, from), "none"] }, { duration: BET, easing: EASING });
  }

  #award(chairs, pot, delay) {
    for (const chair of chairs.filter((each) => each.classList.contains("winner"))) {
      const copy = make("span", { class: "bet" }, make("span", { class: "chip" }), chair.querySelector(".result").textContent);
      this.#send(copy, pot.getBoundingClientRect(), chair.querySelector(".plate").getBoundingClientRect(), delay);
    }
  }

  /** Move a copy of chips from one box to another. */
  #send(copy, from, to, delay = 0) {
    const { left, top } = this.#layer.getBoundingClientRect();
    const start = centreOf(from);
    const moving = make(
      "div",
      { class: "moving-chips", "aria-hidden": "true", "--left": `${start.x - left}px`, "--top": `${start.y - top}px` },
      copy,
    );
    this.#layer.append(moving);
    const transform = ["none", between(start, centreOf(to))];
    const timing = { duration: COLLECTED, delay, easing: EASING };
    moving.animate({ transform }, timing).finished.then(() => moving.remove(), () => moving.remove());
  }
}

function chairsOf(table) {
  return [...table.querySelectorAll(".chair")];
}

/** The hand to which a card belongs, or null. */
function handOf(card) {
  return card ? card.dataset.key.split(" ", 1)[0] : null;
}

function centreOf({ left, top, width, height }) {
  return { x: left + width / 2, y: top + height / 2 };
}

function between(from, to) {
  return `translate(${to.x - from.x}px, ${to.y - from.y}px)`;
}
