/* What the pages about cases, networks and agents share. */

import { make } from "../page/elements.js";
import { drawBars } from "../reasons/why.js";
import { formatCell, formatSigned } from "../words/numbers.js";

/** Breadcrumbs: names with addresses; the last one is the current page. */
export function drawTrail(...steps) {
  const last = steps.length - 1;
  const links = steps.map(([name, href], place) =>
    make("li", {}, place === last ? make("span", { "aria-current": "page" }, name) : make("a", { href }, name)),
  );
  return make("nav", { class: "trail", "aria-label": "Breadcrumb" }, make("ol", { role: "list" }, links));
}

/** A file size for people. */
export function formatSize(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** The actions taken as bars, with the mean outcome if known. */
export function drawVotes(votes) {
  const all = votes.reduce((sum, { count }) => sum + count, 0);
  if (!all) return make("p", { class: "muted" }, "No decisions.");
  const bars = votes
    .filter(({ count }) => count || votes.length <= 6)
    .map(({ solution, count, mean }) => ({
      label: mean === null ? solution : `${solution}, ${formatSigned(mean, 2)} on average`,
      value: count,
      error: null,
    }));
  const format = (count) => `${count.toLocaleString("en")} · ${Math.round((100 * count) / all)} %`;
  return drawBars(bars, { format, most: all });
}

/** The action taken in one case, in words. */
export function sayTaken(taken) {
  return Object.entries(taken)
    .map(([solution, { count }]) => (count > 1 ? `${solution} (${count.toLocaleString("en")})` : solution))
    .join(", ");
}

/** The mean of a case's known outcomes, or null. */
export function meanOutcome(taken) {
  const outcomes = Object.values(taken);
  const known = outcomes.reduce((sum, each) => sum + each.known, 0);
  return known ? outcomes.reduce((sum, each) => sum + each.sum, 0) / known : null;
}

/** A cell with the outcome of a case. */
export function drawOutcome(taken) {
  const mean = meanOutcome(taken);
  const colour = mean > 0 ? "good" : mean < 0 ? "bad" : "";
  return make("td", { class: `number ${colour}`.trim() }, mean === null ? "–" : formatSigned(mean, 2));
}

/** Plain data of a recipe, a line each. */
export function drawRecipe(recipe) {
  const lines = Object.entries(recipe).map(([name, value]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, plain(value))),
  );
  return lines.length ? make("details", { class: "recipe" }, make("summary", {}, "How it was made"), make("dl", { class: "why-facts" }, lines)) : null;
}

function plain(value) {
  if (Array.isArray(value)) return value.map(plain).join(", ");
  if (value !== null && typeof value === "object") {
    return Object.entries(value)
      .map(([name, each]) => `${name} ${plain(each)}`)
      .join(", ");
  }
  return typeof value === "number" ? value.toLocaleString("en") : formatCell(value);
}
