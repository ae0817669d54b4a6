/* The agents: what each does, its paper, its parameters, and how it played in the hands stored here. */

import { named } from "../bots/names.js";
import { drawParameters } from "../bots/parameters.js";
import { make } from "../page/elements.js";
import { answerOf } from "../page/session_data.js";
import { formatCell, formatCount, formatFixed, formatShare, formatSigned } from "../words/numbers.js";
import { drawTrail } from "./parts.js";

/** The arena's statistics: key, heading and description. */
const STATISTICS = [
  ["vpip", "VPIP", "voluntarily put chips in before the flop"],
  ["pfr", "PFR", "bet or raised before the flop"],
  ["three_bet", "3-bet", "reraised before the flop"],
  ["flops_seen", "saw flop", "had not folded when the flop was dealt"],
  ["wtsd", "WTSD", "went to showdown after seeing the flop"],
  ["wsd", "W$SD", "won chips at showdown"],
  ["won", "hands won", "won all or part of a pot"],
  ["aggression_frequency", "aggression frequency", "bets and raises out of all decisions except checks"],
];

/** Draw all agents, or one. */
export async function show(root, name = "") {
  const drawn = name ? drawOne(await answerOf(`/api/explore/agents/${encodeURIComponent(name)}`)) : drawAll(await answerOf("/api/explore/agents"));
  root.replaceChildren(...drawn);
}

function drawAll(agents) {
  return [
    drawTrail(["Explore", "#/explore"], ["Bots"]),
    make("header", { class: "explore-head" }, make("h1", {}, "Bots"), make("p", { class: "muted" }, "Each of them plays, and explains its actions.")),
    make(
      "ul",
      { class: "agents", role: "list" },
      agents.map((agent) =>
        make(
          "li",
          { class: "panel agent-card" },
          make("h2", {}, make("a", { href: `#/explore/agents/${encodeURIComponent(agent.name)}`, title: agent.name }, agent.title)),
          make("p", {}, agent.summary),
          drawPapers(agent),
          make("p", { class: "row" }, drawPlay(agent), agent.hands ? make("span", { class: "muted small-text" }, `${formatCount(agent.hands, "hand")} played here`) : null),
        ),
      ),
    ),
  ];
}

function drawOne(agent) {
  return [
    drawTrail(["Explore", "#/explore"], ["Bots", "#/explore/agents"], [agent.title]),
    make("header", { class: "explore-head" }, make("h1", {}, named(agent.title, agent.name)), make("p", {}, agent.summary), drawPapers(agent), make("p", {}, drawPlay(agent))),
    make("section", { class: "panel stack" }, make("h2", {}, "Parameters"), drawOptions(agent)),
    make("section", { class: "panel stack" }, make("h2", {}, "What it learnt from"), drawKnowledge(agent)),
    make("section", { class: "panel stack" }, make("h2", {}, "How it played here"), drawCareers(agent.careers)),
  ];
}

function drawPapers({ papers }) {
  return papers.map((paper) => make("p", { class: "muted small-text" }, paper));
}

/** A link to a table with this agent, unless it needs a parameter. */
function drawPlay({ name, title, parameters }) {
  if (parameters.some(({ needed }) => needed)) return null;
  return make("a", { class: "button", href: `#/?opponent=${encodeURIComponent(name)}` }, `Play against ${title}`);
}

function drawOptions({ name, parameters }) {
  if (!parameters.length) return make("p", { class: "muted" }, "None.");
  const example = parameters.find(({ needed }) => !needed) ?? parameters[0];
  return make(
    "div",
    { class: "stack" },
    drawParameters(parameters),
    make("p", { class: "muted small-text" }, "Parameters follow the name: ", make("code", {}, `${name}:${example.name}=${example.default || "…"}`)),
  );
}

function drawKnowledge({ knowledge }) {
  if (!knowledge.length) return make("p", { class: "muted" }, "Nothing: its rules are its knowledge.");
  return make("ul", { class: "knowledge" }, knowledge.map((each) => make("li", {}, each)));
}

function drawCareers(careers) {
  if (!careers.length) return make("p", { class: "muted" }, "No hands played here yet.");
  return make("div", { class: "careers" }, careers.map(drawCareer));
}

function drawCareer({ player, hands, counted }) {
  if (!counted) return make("div", {}, make("h3", {}, player), make("p", { class: "muted" }, `${formatCount(hands, "hand")}, none of them complete.`));
  const { rates, statistics } = counted;
  const first = counted.hands < hands ? `; statistics of the first ${counted.hands.toLocaleString("en")}` : "";
  const facts = [
    ...rates.map((rate) => ["won", careerRate(rate), ""]),
    ...STATISTICS.map(([key, name, what]) => [name, shown(statistics[key]), what]),
    ["aggression factor", statistics.aggression_factor === null ? "–" : formatFixed(statistics.aggression_factor, 2), "bets and raises per call"],
  ];
  const lines = facts.map(([name, value, what]) => make("div", { title: what || null }, make("dt", {}, name), make("dd", {}, value)));
  return make("div", {}, make("h3", {}, player), make("p", { class: "muted small-text" }, `${formatCount(hands, "hand")}${first}`), make("dl", { class: "why-facts" }, lines));
}

/** Stakes may differ from hand to hand, so there is no choice of units. */
function careerRate({ unit, mean, low, high }) {
  const bounds = low === null || high === null ? "" : `, 95 % interval ${formatSigned(low, 3)} … ${formatSigned(high, 3)}`;
  return `${formatSigned(mean, 3)} ${unit}${bounds}`;
}

function shown(share) {
  return share.of ? `${formatShare(share.fraction)} of ${formatCell(share.of)}` : "–";
}
