/*
 * Why an agent acted as it did. The input is the data of an explanation (railbird.explanation): a sentence, facts, and
 * sections of four kinds, so that any agent can be drawn.
 */

import { make, unseen, useStyle } from "./elements.js";
import { explained } from "./glossary.js";
import { named } from "./names.js";
import { formatCell, formatShare } from "./numbers.js";

const RANKS = "AKQJT98765432";
const SIMILARITIES = /similarit|how similar/i;

useStyle("why.css");

/** The reasons of one decision: player and action, summary, strategy, facts and all sections. */
export function drawReasons(reasons) {
  const { name = "", agent = "", action = "", strategy = [], explanation } = reasons;
  return make(
    "article",
    { class: "why" },
    make("h3", { class: "why-title" }, named(name, agent), ` ${action}`),
    make("p", { class: "why-summary" }, explanation.summary),
    strategy.length ? drawStrategy(strategy) : null,
    drawFacts(Object.entries(explanation.facts)),
    explanation.sections.map(drawSection),
  );
}

/** One section of an explanation. */
export function drawSection(section) {
  switch (section.kind) {
    case "bars":
      return titled(section.title, drawBars(section.bars, { unit: section.unit }));
    case "table":
      return titled(section.title, drawTable(section));
    case "range":
      return titled(section.title, drawRange(section));
    case "belief":
      return drawBelief(section);
    default:
      return titled(section.title ?? "", make("p", {}, `Sections of kind ${section.kind} are not supported.`));
  }
}

function titled(title, ...parts) {
  return make("section", { class: "why-section" }, make("h4", {}, title), parts);
}

function drawStrategy(strategy) {
  const bars = strategy.map(({ action, chance }) => ({ label: action, value: chance, error: null }));
  return titled("strategy", drawBars(bars, { format: formatShare, most: 1 }));
}

/** Names and values, a line each. */
export function drawFacts(facts) {
  if (!facts.length) {
    return null;
  }
  const lines = facts.map(([name, value]) =>
    make("div", {}, make("dt", {}, explained(name)), make("dd", {}, formatCell(value))),
  );
  return make("dl", { class: "why-facts" }, lines);
}

/**
 * A line for each value. Where some are negative, bars grow from a common zero to both sides; a whisker reaches one
 * standard error to both sides of an estimate. `most` is the value of a full bar, without it the greatest one is.
 */
export function drawBars(bars, { unit = "", format = formatCell, most = 0 } = {}) {
  const ends = bars.flatMap(({ value, error }) => [value - (error ?? 0), value + (error ?? 0)]);
  const low = Math.min(0, ...ends);
  const high = Math.max(most, 0, ...ends);
  const width = high - low || 1;
  const place = (value) => `${(100 * (value - low)) / width}%`;
  const size = (value) => `${(100 * Math.abs(value)) / width}%`;
  const lines = bars.map(({ label, value, error }) => {
    const number = format(value) + (error === null ? "" : ` ± ${formatCell(error)}`);
    const track = make(
      "span",
      { class: "bar-track", "aria-hidden": "true", "--zero": place(0) },
      make("span", {
        class: value < 0 ? "bar-fill bar-negative" : "bar-fill",
        "--start": place(Math.min(0, value)),
        "--length": size(value),
      }),
      error
        ? make("span", { class: "bar-whisker", "--start": place(value - error), "--length": size(2 * error) })
        : null,
    );
    return make(
      "li",
      { title: error === null ? null : `${label}: ${number} ${unit} (standard error)` },
      make("span", { class: "bar-label" }, label),
      make("span", { class: "bar-value" }, `${number} ${unit}`.trim()),
      track,
    );
  });
  return make("ul", { class: low < 0 ? "bars bars-signed" : "bars", role: "list" }, lines);
}

/** A table; numbers are right-aligned, and similarities have a bar of their length. */
export function drawTable({ title, columns, rows }) {
  const numeric = columns.map((_, place) => rows.length > 0 && rows.every((row) => typeof row[place] === "number"));
  const shares = columns.map(
    (column, place) => numeric[place] && areShares(rows.map((row) => row[place]), `${title} ${column}`),
  );
  const heading = columns.map((column, place) =>
    make("th", { scope: "col", class: numeric[place] ? "number" : null }, column),
  );
  const cells = (row) =>
    row.map((value, place) => {
      const kind = [numeric[place] || typeof value === "number" ? "number" : "", shares[place] ? "share" : ""];
      const attributes = { class: kind.join(" ").trim() || null, "--share": shares[place] ? `${100 * value}%` : null };
      const text = formatCell(value);
      return place ? make("td", attributes, text) : make("th", { scope: "row", ...attributes }, text);
    });
  return make(
    "div",
    { class: "why-scroll", tabindex: "0", role: "region", "aria-label": title },
    make(
      "table",
      { class: "why-table" },
      make("thead", {}, make("tr", {}, heading)),
      make("tbody", {}, rows.map((row) => make("tr", {}, cells(row)))),
    ),
  );
}

/** Whether all numbers are between 0 and 1, and are named similarities or are not all whole. */
function areShares(values, words) {
  const within = values.every((value) => value >= 0 && value <= 1);
  return within && (SIMILARITIES.test(words) || values.some((value) => !Number.isInteger(value)));
}

/** The 169 starting hands, suited above the diagonal; the colour shows the weight. */
export function drawRange({ title, weights }) {
  const most = Math.max(...weights) || 1;
  const heading = [...RANKS].map((rank) => make("th", { scope: "col" }, rank));
  const lines = [...RANKS].map((rank, row) => {
    const cells = [...RANKS].map((_, column) => {
      const weight = weights[RANKS.length * row + column];
      const hand = startingHand(row, column);
      return make(
        "td",
        {
          class: weight ? null : "range-none",
          title: `${hand}: ${formatCell(weight)}`,
          "--share": `${(100 * weight) / most}%`,
        },
        make("span", { class: "range-hand" }, hand),
        unseen(` ${formatCell(weight)}`),
      );
    });
    return make("tr", {}, make("th", { scope: "row" }, rank), cells);
  });
  const table = make(
    "table",
    { class: "range", "aria-label": `${title}, starting hands` },
    make("thead", {}, make("tr", {}, make("td", {}), heading)),
    make("tbody", {}, lines),
  );
  const scale = make(
    "p",
    { class: "range-scale" },
    "0",
    make("span", { class: "range-scale-colours", "aria-hidden": "true" }),
    formatCell(Math.max(...weights)),
  );
  return make("div", { class: "range-box" }, table, scale);
}

/** The starting hand in a row and a column of the grid: ranks of the pair, suited above the diagonal. */
export function startingHand(row, column) {
  if (row === column) {
    return RANKS[row] + RANKS[row];
  }
  return row < column ? `${RANKS[row]}${RANKS[column]}s` : `${RANKS[column]}${RANKS[row]}o`;
}

function drawBelief({ label, grid, bars }) {
  const beside = bars.map((each) =>
    make("div", { class: "belief-bars" }, make("h5", {}, each.title), drawBars(each.bars, { unit: each.unit })),
  );
  const title = grid.title.startsWith(label) ? grid.title : `${label}: ${grid.title}`;
  return titled(title, make("div", { class: "belief" }, drawRange(grid), beside));
}
