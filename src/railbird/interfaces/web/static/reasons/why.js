/*
 * Why an agent acted as it did. The input is the data of an explanation (railbird.explanation): a sentence, facts, and
 * sections of four kinds, so that any agent can be drawn.
 */

import { named } from "../bots/names.js";
import { explained } from "../help/glossary.js";
import { drawCard } from "../page/cards.js";
import { make, useStyle } from "../page/elements.js";
import { formatEstimate, formatShare, formatValue } from "../words/numbers.js";
import { unbroken } from "../words/sentences.js";
import { drawRange } from "./range_grid.js";

const CARDS = /^([2-9TJQKA][shdc] ?)+$/;

useStyle("reasons/why.css");

/** The reasons of one decision: player, cards and action, summary, strategy, facts and all sections. */
export function drawReasons(reasons) {
  const { name = "", agent = "", action = "", strategy = [], chance = null, cards = [], board = [] } = reasons;
  const { explanation } = reasons;
  const units = explanation.units ?? {};
  const facts = Object.entries(explanation.facts).map(([fact, value]) => ({ name: fact, value, unit: units[fact] }));
  return make(
    "article",
    { class: "why" },
    make("h3", { class: "why-title" }, named(name, agent), ` ${action}`),
    cards.length ? drawHand(cards, board) : null,
    make("p", { class: "why-summary" }, unbroken(explanation.summary)),
    strategy.length ? drawStrategy(strategy, chance) : null,
    drawFacts(facts),
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

/** The cards of the player, and the board. */
function drawHand(cards, board) {
  const draw = (each) => each.map((card) => drawCard(card));
  const open = board.length ? [make("span", { class: "muted small-text" }, "on"), draw(board)] : null;
  return make("p", { class: "why-hand mini-cards" }, draw(cards), open);
}

function drawStrategy(strategy, chance) {
  const bars = strategy.map(({ action, chance: value }) => ({ label: action, value, error: null }));
  const drawn =
    chance > 0 && chance < 1
      ? make("p", { class: "why-drawn muted small-text" }, unbroken(`The action was drawn at random: it had a chance of ${formatShare(chance)}.`))
      : null;
  return titled("strategy", drawBars(bars, { unit: "share", most: 1 }), drawn);
}

/** Names and values, a line each. */
export function drawFacts(facts) {
  if (!facts.length) {
    return null;
  }
  const lines = facts.map(({ name, value, unit }) =>
    make("div", {}, make("dt", {}, explained(name)), make("dd", {}, drawValue(value, unit))),
  );
  return make("dl", { class: "why-facts" }, lines);
}

/** A value with its unit; cards are drawn. */
function drawValue(value, unit = "") {
  if (typeof value !== "string" || !CARDS.test(value)) return formatValue(value, unit);
  const holdings = value.trim().split(" ").map((holding) => holding.match(/../g));
  const drawn = holdings.map((cards) => make("span", { class: "mini-holding" }, cards.map((card) => drawCard(card))));
  return make("span", { class: "mini-cards" }, drawn);
}

/**
 * A line for each value. Where some are negative, bars grow from a common zero to both sides; a whisker reaches one
 * standard error to both sides of an estimate. `most` is the value of a full bar, without it the greatest one is.
 */
export function drawBars(bars, { unit = "", format = null, most = 0 } = {}) {
  const ends = bars.flatMap(({ value, error }) => [value - (error ?? 0), value + (error ?? 0)]);
  const low = Math.min(0, ...ends);
  const high = Math.max(most, 0, ...ends);
  const width = high - low || 1;
  const place = (value) => `${(100 * (value - low)) / width}%`;
  const size = (value) => `${(100 * Math.abs(value)) / width}%`;
  const lines = bars.map(({ label, value, error }) => {
    const number = format === null ? formatEstimate(value, error, unit) : format(value);
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
      { title: error === null ? null : `${label}: ${number} (standard error)` },
      make("span", { class: "bar-label" }, drawValue(label)),
      make("span", { class: "bar-value" }, number),
      track,
    );
  });
  return make("ul", { class: low < 0 ? "bars bars-signed" : "bars", role: "list" }, lines);
}

/** A table; numbers are right-aligned, and shares have a bar of their length. */
export function drawTable({ title, columns, rows, units = [] }) {
  const numeric = columns.map((_, place) => rows.length > 0 && rows.every((row) => typeof row[place] === "number"));
  const heading = columns.map((column, place) =>
    make("th", { scope: "col", class: numeric[place] ? "number" : null }, column),
  );
  const cells = (row) =>
    row.map((value, place) => {
      const isShare = typeof value === "number" && units[place] === "share";
      const kind = [numeric[place] || typeof value === "number" ? "number" : "", isShare ? "share" : ""];
      const attributes = {
        class: kind.join(" ").trim() || null,
        "--share": isShare ? `${Math.min(100, 100 * value)}%` : null,
      };
      const drawn = drawValue(value, units[place]);
      return place ? make("td", attributes, drawn) : make("th", { scope: "row", ...attributes }, drawn);
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

function drawBelief({ label, grid, bars, summary = "" }) {
  const groups = bars.map((each) =>
    make("div", { class: "belief-bars" }, make("h5", {}, each.title), drawBars(each.bars, { unit: each.unit })),
  );
  const title = grid.title.startsWith(label) ? grid.title : `${label}: ${grid.title}`;
  const said = summary ? make("p", { class: "belief-summary" }, unbroken(summary)) : null;
  return titled(title, said, make("div", { class: "belief" }, groups, drawRange(grid)));
}
