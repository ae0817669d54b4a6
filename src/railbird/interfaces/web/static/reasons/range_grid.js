/*
 * The 169 starting hands as a grid, pairs on the diagonal and suited hands above it. The colour of a cell is its weight
 * per combo, or its part of the whole range; a line below says what the cell under the pointer, finger or focus holds.
 */

import { make } from "../page/elements.js";
import { remember, remembered } from "../page/preferences.js";
import { formatShare } from "../words/numbers.js";

const RANKS = "AKQJT98765432";
const SIDE = RANKS.length;
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -SIDE, ArrowDown: SIDE };
const CHOICES = [
  ["combo", "Per combo"],
  ["cell", "Per cell"],
];

/** The starting hand at a place of the grid: its ranks, suited above the diagonal. */
export function startingHand(place) {
  const [row, column] = [Math.floor(place / SIDE), place % SIDE];
  if (row === column) return RANKS[row] + RANKS[row];
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

/** The grid with its scale and the choice of what a cell shows. */
export function drawRange({ title, weights, combos = weights.map((_, place) => usualCombos(place)), measure = "" }) {
  const all = weights.reduce((sum, weight, place) => sum + weight * combos[place], 0) || 1;
  const parts = weights.map((weight, place) => (weight * combos[place]) / all);
  const told = make("p", { class: "range-told", role: "status" });
  const top = make("span", {});
  const meaning = make("span", {});
  const cells = weights.map((_, place) => {
    const hand = startingHand(place);
    return make("td", { role: "gridcell", tabindex: place ? "-1" : "0", "data-place": place }, hand);
  });
  const say = (place) => {
    const held = `${combos[place]} combo${combos[place] === 1 ? "" : "s"}`;
    const numbers = `${formatShare(weights[place])} per combo, ${formatShare(parts[place])} of the range (${held})`;
    told.textContent = `${startingHand(place)}: ${combos[place] ? numbers : "not in the range"}`;
  };
  const paint = (choice) => {
    const shown = choice === "cell" ? parts : weights;
    const most = Math.max(...shown);
    cells.forEach((cell, place) => {
      cell.style.setProperty("--share", most ? (100 * shown[place]) / most : 0);
      cell.setAttribute("aria-label", `${startingHand(place)}, ${formatShare(shown[place])}`);
    });
    top.textContent = formatShare(most);
    meaning.textContent = choice === "cell" ? "share of the whole range" : measure || "weight of each combo";
    for (const button of buttons) button.setAttribute("aria-pressed", button.value === choice);
  };
  const buttons = CHOICES.map(([choice, words]) => {
    const choose = () => {
      remember("range-per", choice);
      paint(choice);
    };
    return make("button", { type: "button", class: "small", value: choice, onclick: choose }, words);
  });
  const rows = [...RANKS].map((_, row) => make("tr", { role: "row" }, cells.slice(SIDE * row, SIDE * (row + 1))));
  const hear = (event) => {
    const cell = event.target.closest("[data-place]");
    if (cell) say(Number(cell.dataset.place));
  };
  const move = (event) => {
    const step = STEPS[event.key];
    const from = Number(event.target.dataset.place);
    const to = from + step;
    const wraps = Math.abs(step) === 1 && Math.floor(from / SIDE) !== Math.floor(to / SIDE);
    if (step === undefined || !(to in cells)) return;
    event.preventDefault();
    event.stopPropagation();
    if (wraps) return;
    cells[from].tabIndex = -1;
    cells[to].tabIndex = 0;
    cells[to].focus();
  };
  const table = make(
    "table",
    {
      class: "range",
      role: "grid",
      "aria-label": `${title}, starting hands`,
      onpointerover: hear,
      onfocusin: hear,
      onclick: hear,
      onkeydown: move,
    },
    make("tbody", { role: "rowgroup" }, rows),
  );
  const scale = make(
    "p",
    { class: "range-scale" },
    "0 %",
    make("span", { class: "range-scale-colours", "aria-hidden": "true" }),
    top,
    meaning,
  );
  const choices = make("div", { class: "range-choice", role: "group", "aria-label": "What a cell shows" }, buttons);
  paint(remembered("range-per", "combo"));
  told.textContent = "Point at a hand or tap it to see its numbers.";
  return make("div", { class: "range-box" }, choices, table, scale, told);
}

function usualCombos(place) {
  const [row, column] = [Math.floor(place / SIDE), place % SIDE];
  return row === column ? 6 : row < column ? 4 : 12;
}
