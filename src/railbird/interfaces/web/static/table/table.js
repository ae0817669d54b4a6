/*
 * The table as a picture: an oval with seats around it, cards, bets, pots, the button and the board.
 *
 * `drawTable(view)` creates it from one view; `redrawTable` updates an existing one. The position of a seat depends on
 * its number and the number of seats (table.css), so one drawing serves two to ten players on any screen.
 */

import { namedInLittleRoom } from "../bots/names.js";
import { drawCard, nameOfCards, withoutKickers } from "../page/cards.js";
import { make, morph, unseen } from "../page/elements.js";
import { colourOf, formatAmount } from "../words/amounts.js";
import { chipsValue, formatChips } from "../words/numbers.js";
import { Motion, moves } from "./motion.js";
import { drawStatistics } from "./plate_statistics.js";

const PHASES = { ready: "no hand yet", over: "hand over", closed: "session over" };
const BOARD_CARDS = 5;
const POSITIONS = { BTN: "button", CO: "cutoff", HJ: "hijack", LJ: "lojack", SB: "small blind", BB: "big blind" };

/** The table of a view: live, or one of a replay. */
export function drawTable(view) {
  return make(
    "div",
    { class: `table ${view.phase ?? "playing"}`, "data-seats": view.chairs.length },
    make("div", { class: "rail", "aria-hidden": "true" }),
    drawMiddle(view),
    make(
      "ol",
      { class: "chairs", role: "list", "aria-label": "Players" },
      fromOwnSeat(view.chairs).map((chair) => drawChair(chair, view)),
    ),
  );
}

/** Update a table to the next view; what is new moves to its place. */
export function redrawTable(table, view) {
  const motion = moves(view) ? new Motion(table) : null;
  morph(table, drawTable(view));
  motion?.play();
}

/** The chairs in their order, from the viewer's own one, which is in front. */
function fromOwnSeat(chairs) {
  const own = Math.max(0, chairs.findIndex(({ you }) => you));
  return [...chairs.slice(own), ...chairs.slice(0, own)];
}

function drawMiddle(view) {
  const best = view.chairs.flatMap((chair) => chair.best);
  const board = view.board.map((card, place) => drawDealt(view, card, place, best));
  const missing = Array.from({ length: Math.max(0, BOARD_CARDS - view.board.length) }, (_, place) =>
    make("span", { class: "card place", "aria-hidden": "true", "data-key": `place ${view.board.length + place}` }),
  );
  return make(
    "div",
    { class: "middle" },
    make("p", { class: "round" }, view.paused ? "paused" : PHASES[view.phase] ?? view.round),
    make(
      "p",
      { class: "pot" },
      make("span", { class: "chip", "aria-hidden": "true" }),
      `Pot ${formatAmount(view.pot)}`,
    ),
    make(
      "div",
      {
        class: "board",
        role: "group",
        "aria-label": view.board.length ? `Board: ${nameOfCards(view.board)}` : "No board yet",
      },
      board,
      missing,
    ),
    drawSidePots(view),
  );
}

/** A card of this hand; those that won a showdown are lit. */
function drawDealt(view, card, place, best) {
  const drawn = drawCard(card, `${view.hand} ${place} ${card}`);
  drawn.classList.toggle("lit", best.includes(card));
  return drawn;
}

/** Pots are listed separately if a player is all-in and no bet is open: an uncalled bet forms no pot. */
function drawSidePots({ pots, chairs }) {
  const split = pots.length > 1 && chairs.some(({ state }) => state === "all-in");
  if (!split || chairs.some(({ bet }) => bet > 0)) return null;
  const lines = pots.map(({ amount, chairs: who }, number) => {
    const names = who.map((chair) => chairs[chair].name).join(", ");
    return make(
      "li",
      { title: names },
      `${number ? `Side pot ${number}` : "Main pot"} ${formatAmount(amount)}`,
      unseen(` for ${names}`),
    );
  });
  return make("ul", { class: "pots", role: "list" }, lines);
}

function drawChair(chair, view) {
  const over = chair.won !== null && chair.won !== undefined;
  const states = [
    "chair",
    chair.state,
    chair.you ? "you" : "",
    chair.chair === view.to_act ? "to-act" : "",
    over && chipsValue(chair.won) > 0 ? "winner" : "",
  ];
  return make(
    "li",
    { class: states.filter(Boolean).join(" "), "data-chair": chair.chair },
    make(
      "div",
      { class: "seat" },
      make(
        "div",
        { class: "holding" },
        chair.cards.map((card, place) => drawDealt(view, card, place, chair.best)),
      ),
      drawPlate(chair, view, over),
    ),
    chair.bet ? drawBet(chair) : null,
  );
}

function drawPlate(chair, view, over) {
  if (chair.state === "free") return make("div", { class: "plate" }, make("p", { class: "last" }, "free seat"));
  return make(
    "div",
    { class: "plate" },
    make("p", { class: "name" }, namedInLittleRoom(chair.name, chair.agent)),
    make(
      "p",
      { class: "chips-behind" },
      chair.stack === null ? null : [unseen("chips: "), make("span", {}, formatAmount(chair.stack))],
      chair.position ? make("abbr", { class: "position", title: positionWords(chair) }, chair.position) : null,
    ),
    over && chipsValue(chair.won) !== 0
      ? make("p", { class: `result ${colourOf(chair.won)}` }, formatChips(chair.won))
      : make("p", { class: "last" }, lastWords(chair, view)),
    drawStatistics(chair, view),
    make("p", { class: "made", title: chair.made || null }, withoutKickers(chair.made)),
    chair.chair === view.button
      ? make("span", { class: "button-disc", role: "img", "aria-label": "dealer button" }, "D")
      : null,
  );
}

/** "BTN/SB" is "button, small blind"; "UTG+1" is two places after the big blind. */
function positionWords({ position }) {
  return position
    .split("/")
    .map((name) => POSITIONS[name] ?? name.replace("UTG", "under the gun"))
    .join(", ");
}

/** Whether a person is not in this hand but will be in the next one. */
function waits({ chair }, { together }) {
  return together?.people.some((person) => person.chair === chair && !person.out) ?? false;
}

function lastWords(chair, view) {
  if (chair.chair === view.to_act) return chair.you ? "your turn" : "thinking";
  if (chair.state === "all-in") return "all-in";
  if (chair.state === "out") return view.phase === "ready" ? "" : waits(chair, view) ? "next hand" : "sitting out";
  if (chair.state === "folded") return "folded";
  return chair.last;
}

function drawBet(chair) {
  return make(
    "span",
    { class: "bet" },
    make("span", { class: "chip", "aria-hidden": "true" }),
    unseen("bet "),
    formatAmount(chair.bet),
  );
}
