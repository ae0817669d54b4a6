/* One case and its neighbours: how similar each attribute is, and what was done in them. */

import { make, unseen } from "../page/elements.js";
import { answerOf } from "../page/session_data.js";
import { drawFacts } from "../reasons/why.js";
import { formatCell, formatCount, formatShare, formatSigned } from "../words/numbers.js";
import { addressOf, addressOfCase, casesOf } from "./cases.js";
import { drawOutcome, drawTrail, drawVotes, meanOutcome, sayTaken } from "./parts.js";

const COUNTS = [5, 10, 20, 50, 100];
const THRESHOLDS = [
  ["", "the most similar cases"],
  ["0.99", "all cases at least 99 % similar"],
  ["0.97", "all cases at least 97 % similar"],
  ["0.95", "all cases at least 95 % similar"],
  ["0.9", "all cases at least 90 % similar"],
];

/** Draw a case of a base with its neighbours. */
export async function show(root, pack, base, number) {
  const address = `${casesOf(pack, base)}/${encodeURIComponent(number)}`;
  const results = make("div", { class: "stack" });
  const count = make("select", { id: "neighbour-count" }, COUNTS.map((each) => make("option", { value: each, selected: each === 10 }, String(each))));
  const least = make("select", { id: "neighbour-least" }, THRESHOLDS.map(([value, words]) => make("option", { value }, words)));
  let turn = 0;
  const ask = async () => {
    turn += 1;
    const mine = turn;
    const found = await answerOf(`${address}?count=${count.value}&least=${least.value}`);
    if (mine === turn) results.replaceChildren(...drawNeighbours(pack, base, found));
    return found;
  };
  const ended = { now: false };
  const askAgain = () => ask().catch((error) => !ended.now && results.replaceChildren(make("p", { class: "bad", role: "alert" }, error.message)));
  for (const choice of [count, least]) choice.addEventListener("change", askAgain);
  const { case: own } = await ask();
  root.replaceChildren(
    drawTrail(["Explore", "#/explore"], [pack, `#/explore/cases/${encodeURIComponent(pack)}`], [base, addressOf(pack, base)], [`case ${own.number}`]),
    make(
      "header",
      { class: "explore-head" },
      make("h1", {}, `Case ${own.number} of ${base}`),
      make("p", {}, "Action taken: ", make("strong", {}, sayTaken(own.taken)), sayOutcome(own.taken)),
    ),
    make("section", { class: "panel stack" }, make("h2", {}, "The situation"), drawFacts([...Object.entries(own.description), ...Object.entries(own.riders)].map(([name, value]) => ({ name, value })))),
    make(
      "section",
      { class: "panel stack" },
      make("h2", {}, "Neighbours"),
      make(
        "div",
        { class: "row neighbour-choice" },
        make("label", { for: "neighbour-least" }, "Compare with"),
        least,
        make("label", { for: "neighbour-count" }, "showing at most"),
        count,
      ),
      results,
    ),
  );
  return () => {
    ended.now = true;
    turn += 1;
  };
}

function sayOutcome(taken) {
  const mean = meanOutcome(taken);
  return mean === null ? "; outcome unknown." : `; outcome ${formatSigned(mean, 2)}.`;
}

function drawNeighbours(pack, base, found) {
  const { case: own, weights, neighbours, votes, met } = found;
  const shown = neighbours.length < found.found ? `, the first ${neighbours.length} shown` : "";
  const said = met ? `${formatCount(found.found, "case")} compared${shown}.` : `No case is that similar: compared with the ${formatCount(found.found, "most similar case")} instead.`;
  return [
    make("p", { class: "muted", role: "status" }, said),
    make("h3", {}, "Actions taken"),
    drawVotes(votes),
    make("h3", {}, "Similarity"),
    make("p", { class: "muted small-text" }, "A bar under a value shows how similar it is to this case’s value; a weight shows how much its attribute counts."),
    drawTable(pack, base, own, weights, neighbours),
  ];
}

function drawTable(pack, base, own, weights, neighbours) {
  const names = Object.keys(own.description);
  const heading = names.map((name) => make("th", { scope: "col" }, name));
  const fixed = ["case", "similarity", "action", "outcome"].map((name) => make("th", { scope: "col", class: name === "outcome" ? "number" : null }, name));
  const weightCells = names.map((name) => make("td", { class: "muted" }, formatCell(weights[name])));
  const ownCells = names.map((name) => make("td", {}, make("strong", {}, formatCell(own.description[name]))));
  return make(
    "div",
    { class: "why-scroll cases-scroll", tabindex: "0", role: "region", "aria-label": "Neighbours" },
    make(
      "table",
      { class: "why-table cases neighbours" },
      make("thead", {}, make("tr", {}, fixed, heading)),
      make(
        "tbody",
        {},
        make("tr", {}, make("th", { scope: "row", class: "muted" }, "weight"), make("td", { colspan: 3 }), weightCells),
        make("tr", { class: "own" }, make("th", { scope: "row" }, "this case"), make("td", {}, formatShare(1)), make("td", {}, sayTaken(own.taken)), drawOutcome(own.taken), ownCells),
        neighbours.map((each) => drawNeighbour(pack, base, names, each)),
      ),
    ),
  );
}

function drawNeighbour(pack, base, names, { number, description, taken, similarity, similarities }) {
  const link = make("a", { href: addressOfCase(pack, base, number), "aria-label": `case ${number}` }, String(number));
  const cells = names.map((name) => drawCompared(formatCell(description[name]), similarities[name]));
  return make("tr", {}, make("th", { scope: "row" }, link), drawCompared(formatShare(similarity), similarity), make("td", {}, sayTaken(taken)), drawOutcome(taken), cells);
}

/** A value above a bar whose length is its similarity. */
function drawCompared(text, similarity) {
  return make(
    "td",
    { class: similarity === 1 ? "compared same" : "compared", "--share": `${100 * similarity}%`, title: `similarity ${formatShare(similarity)}` },
    text,
    unseen(`, similarity ${formatShare(similarity)}`),
    make("span", { class: "compared-bar", "aria-hidden": "true" }),
  );
}
