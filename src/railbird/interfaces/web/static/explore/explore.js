/* Explore what agents learnt: `#/explore/cases/…`, `#/explore/networks/…`, `#/explore/agents/…`, or an overview. */

import { make, useStyle } from "../page/elements.js";
import { answerOf } from "../page/session_data.js";
import { formatCount } from "../words/numbers.js";
import { formatSize } from "./parts.js";

const PAGES = {
  cases: () => import("./cases.js"),
  case: () => import("./case.js"),
  networks: () => import("./network.js"),
  agents: () => import("./agents.js"),
};

useStyle("reasons/why.css");
useStyle("explore/explore.css");

/** Draw the page given by the parts of the address. */
export async function show(root, kind = "", ...parts) {
  if (!kind) return showAll(root);
  const load = PAGES[kind];
  if (!load) throw new Error("This page does not exist.");
  const page = await load();
  return page.show(root, ...parts);
}

async function showAll(root) {
  const [packs, networks, agents] = await Promise.all(
    ["packs", "networks", "agents"].map((kind) => answerOf(`/api/explore/${kind}`)),
  );
  root.replaceChildren(
    make(
      "header",
      { class: "explore-head" },
      make("h1", {}, "What the bots have learnt"),
      make("p", { class: "muted" }, "The cases they recall, the networks they reason with, and the bots themselves."),
    ),
    make(
      "div",
      { class: "explore-all" },
      section("Case bases", "Decisions of players that the bots watched. Filter them, and see what was done in similar situations.", packs.map(drawPack)),
      section("Bayesian networks", "Select a state to set it as evidence, and see the resulting probabilities.", networks.map(drawNetwork)),
      section("Bots", "What each bot does, its papers, its parameters and its results here.", [
        make(
          "p",
          { class: "agent-names" },
          agents.map(({ name, title }) => make("a", { class: "tag", href: `#/explore/agents/${encodeURIComponent(name)}`, title: name }, title)),
        ),
        make("p", {}, make("a", { href: "#/explore/agents" }, `All ${formatCount(agents.length, "bot")}`)),
      ]),
    ),
  );
}

function section(title, about, children) {
  const empty = make("p", { class: "muted" }, "None.");
  return make(
    "section",
    { class: "panel stack" },
    make("h2", {}, title),
    make("p", { class: "muted small-text" }, about),
    children.length ? children : empty,
  );
}

function drawPack(item) {
  return drawItem(item, `#/explore/cases/${encodeURIComponent(item.id)}`);
}

function drawNetwork(item) {
  return drawItem(item, `#/explore/networks/${encodeURIComponent(item.id)}`);
}

function drawItem({ title, comes_along, size }, href) {
  return make(
    "p",
    { class: "explore-item" },
    make("a", { href }, title),
    make("span", { class: "muted small-text" }, `${comes_along ? "included" : "in your folder"}, ${formatSize(size)}`),
  );
}
