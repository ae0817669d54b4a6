/* After a session: what was won, how everyone played, every hand, and the same deals played by an agent. */

import { named } from "../bots/names.js";
import { explained } from "../help/glossary.js";
import { make, useStyle } from "../page/elements.js";
import { answerOf, cardsOf } from "../page/session_data.js";
import { colourOf, formatAmount } from "../words/amounts.js";
import { chipsValue, formatChips, formatCount, formatFixed } from "../words/numbers.js";
import { formatUnits, formatWon, inUnit, rateWords, unitName } from "../words/units.js";
import { drawChart } from "./chart.js";
import { drawDuplicate } from "./duplicate.js";
import { drawReview } from "./review.js";

const HANDS_AT_ONCE = 50;
const BIGGEST_POTS = 5;
const NOTHING = { element: "", stop: () => {} };

/** The arena's statistics in the order of the table: key, heading and description. */
const STATISTICS = [
  ["hands", "hands", "hands dealt in"],
  ["net", "won", "total of all hands"],
  ["vpip", "VPIP", "voluntarily put chips in before the flop"],
  ["pfr", "PFR", "bet or raised before the flop"],
  ["three_bet", "3-bet", "reraised before the flop"],
  ["flops_seen", "saw flop", "had not folded when the flop was dealt"],
  ["wtsd", "WTSD", "went to showdown after seeing the flop"],
  ["wsd", "W$SD", "won chips at showdown"],
  ["played", "played", "voluntarily put chips in on any street"],
  ["won", "hands won", "won all or part of a pot"],
  ["uncontested_wins", "uncontested", "won because everyone else folded"],
  ["aggression_factor", "aggression factor", "bets and raises per call"],
  ["aggression_frequency", "aggression frequency", "bets and raises out of all decisions except checks"],
];

useStyle("reasons/why.css");
useStyle("afterwards/afterwards.css");

/** Draw the page of a session, with `review` its review at once; returns a function that stops everything running. */
export async function show(root, sessionId, what = "") {
  const base = `/api/sessions/${encodeURIComponent(sessionId)}`;
  const [session, summary, hands] = await Promise.all(["", "/summary", "/hands"].map((part) => answerOf(base + part)));
  const page = make("div", { class: "afterwards" }, heading(session, summary));
  const [review, duplicate] = await Promise.all([
    session.watching || !hands.length ? NOTHING : drawReview(base, session, what === "review"),
    drawDuplicate(base, session, summary),
  ]);
  const results = make("div", { class: "afterwards-results" });
  const draw = (shown) => results.replaceChildren(...resultsOf(session, shown));
  draw(summary);
  page.append(
    summary.players.length > 1 ? chooser(base, summary, draw) : "",
    results,
    review.element,
    biggestPots(sessionId, hands),
    summary.players.length ? make("section", {}, make("h2", {}, "How everyone played"), statisticsTable(summary)) : "",
    duplicate.element,
    handList(sessionId, hands, summary),
    downloads(base, hands),
  );
  root.replaceChildren(page);
  return () => [review, duplicate].forEach(({ stop }) => stop());
}

function heading(session, summary) {
  const links = [make("a", { class: "button", href: "#/" }, "Lobby")];
  if (!session.finished) {
    links.push(make("a", { class: "button primary", href: `#/table/${session.id}` }, "Back to the table"));
  }
  const started = make("time", { datetime: session.started }, new Date(session.started).toLocaleString());
  return make(
    "header",
    {},
    make("h1", { tabindex: "-1" }, session.title),
    make("p", { class: "muted" }, "Started ", started, ` · ${formatCount(session.hands, "hand")} counted`),
    session.training
      ? make("p", { class: "note" }, "Training: these hands do not count, but can be replayed and downloaded.")
      : null,
    make("nav", { class: "row", "aria-label": "This session" }, links),
    summary.hands_left_out && !session.training
      ? make("p", { class: "muted" }, `Not counted: ${formatCount(summary.hands_left_out, "hand")}.`)
      : null,
  );
}

/** The player whose results are shown; afterwards everyone's are known. */
function chooser(base, summary, draw) {
  const choice = make(
    "select",
    { id: "whose" },
    summary.players.map(({ name }) => make("option", { value: name, selected: name === summary.player }, name)),
  );
  choice.addEventListener("change", async () => {
    draw(await answerOf(`${base}/summary?player=${encodeURIComponent(choice.value)}`));
  });
  return make("p", { class: "chooser" }, make("label", { for: "whose" }, "Results of "), choice);
}

function resultsOf(session, summary) {
  if (!summary.net.length) {
    return [make("p", {}, "No counted hands yet.")];
  }
  const { unit, net, rate } = summary;
  const total = net.at(-1);
  const [mean, bounds] = rateWords(rate, unit);
  const figures = [
    ["won", formatWon(total, unit), "", colourOf(total)],
    ["per hand", mean, bounds, colourOf(rate.mean)],
    ["hands", String(rate.hands), "", null],
  ];
  const boxes = figures.map(([name, text, hint, colour]) =>
    make(
      "div",
      { class: "figure-box" },
      make("dt", {}, name),
      make("dd", {}, make("span", { class: colour }, text), hint ? make("small", {}, hint) : null),
    ),
  );
  const inUnits = (values) => values.map((value) => inUnit(value, unit));
  const series = [
    { name: "all hands", kind: "net", values: inUnits(net) },
    { name: "with showdown", kind: "showdown", values: inUnits(summary.showdown) },
    { name: "without showdown", kind: "other", values: inUnits(summary.other) },
  ];
  const band = summary.interval && { low: inUnits(summary.interval.low), high: inUnits(summary.interval.high) };
  const winnings = summary.player === "You" ? "Your winnings" : `Winnings of ${summary.player}`;
  const title = `${winnings}: ${session.title}`;
  return [
    make("dl", { class: "figure-boxes" }, boxes),
    make(
      "section",
      {},
      make("h2", {}, "Session"),
      drawChart({ title, unit: unitName(unit), series, band }),
    ),
  ];
}

function statisticsTable({ players, unit }) {
  const headings = STATISTICS.map(([, name, what]) => make("th", { scope: "col", class: "number", title: what }, explained(name)));
  const rows = players.map(({ name, agent, statistics }) => {
    const cells = STATISTICS.map(([key]) => {
      const [text, hint] = statisticText(key, statistics[key], unit);
      return make("td", { class: "number", title: hint }, text);
    });
    return make("tr", {}, make("th", { scope: "row" }, named(name, agent)), cells);
  });
  const words = STATISTICS.map(([, name, what]) => make("div", {}, make("dt", {}, name), make("dd", {}, what)));
  return make(
    "div",
    {},
    make(
      "div",
      { class: "why-scroll", tabindex: "0", role: "region", "aria-label": "Player statistics" },
      make(
        "table",
        { class: "why-table" },
        make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "player"), headings)),
        make("tbody", {}, rows),
      ),
    ),
    make(
      "details",
      { class: "words" },
      make("summary", {}, "What the columns mean"),
      make("dl", { class: "why-facts" }, words),
    ),
  );
}

/** A statistic as shown, and its sample size. */
function statisticText(key, value, unit) {
  if (key === "net") {
    return [formatUnits(value, unit), null];
  }
  if (value === null) {
    return ["–", null];
  }
  if (typeof value === "number") {
    return [Number.isInteger(value) ? String(value) : formatFixed(value, 2), null];
  }
  return value.of ? [`${formatFixed(100 * value.fraction, 1)} %`, `${value.count} of ${value.of}`] : ["–", "no occasion yet"];
}

function biggestPots(sessionId, hands) {
  const biggest = hands.toSorted((one, other) => chipsValue(other.pot) - chipsValue(one.pot)).slice(0, BIGGEST_POTS);
  if (biggest.length < 2) return "";
  const body = make("tbody", {}, biggest.map((hand) => handRow(sessionId, hand)));
  return make("section", {}, make("h2", {}, "Biggest pots"), handTable("Biggest pots", body));
}

function handList(sessionId, hands, summary) {
  const body = make("tbody", {});
  const more = make("button", { type: "button" }, "Show more hands");
  const left = hands.toReversed();
  const add = () => {
    body.append(...left.splice(0, HANDS_AT_ONCE).map((hand) => handRow(sessionId, hand)));
    more.hidden = !left.length;
  };
  more.addEventListener("click", add);
  add();
  const list = hands.length ? handTable("Hands", body) : make("p", {}, "No finished hands yet.");
  const whose = summary.own === "You" ? "Your cards and results" : `Cards and results of ${summary.own}`;
  const about = make("p", { class: "muted" }, `${whose}, newest first.`);
  return make("section", {}, make("h2", {}, "Hands"), about, list, more);
}

function handTable(title, body) {
  const numbers = ["won", "pot"];
  const headings = ["hand", "won", "pot", "cards", "board", "end"].map((name) =>
    make("th", { scope: "col", class: numbers.includes(name) ? "number" : null }, name),
  );
  return make(
    "div",
    { class: "why-scroll hand-scroll", tabindex: "0", role: "region", "aria-label": title },
    make("table", { class: "why-table hand-list" }, make("thead", {}, make("tr", {}, headings)), body),
  );
}

function handRow(sessionId, hand) {
  const link = make("a", { href: `#/replay/${sessionId}/${hand.number}` }, `Hand ${hand.number}`);
  return make(
    "tr",
    {},
    make("th", { scope: "row" }, link, hand.counted ? null : make("span", { class: "tag" }, "training")),
    make("td", { class: `number ${colourOf(hand.won)}` }, formatChips(hand.won)),
    make("td", { class: "number" }, formatAmount(hand.pot)),
    make("td", {}, cardsOf(hand.cards)),
    make("td", {}, cardsOf(hand.board)),
    make("td", {}, hand.showdown ? "showdown" : "no showdown"),
  );
}

function downloads(base, hands) {
  if (!hands.length) {
    return "";
  }
  const link = (name, text) => make("li", {}, make("a", { href: `${base}/${name}`, download: "" }, text));
  const files = [
    link("hands.txt", "All finished hands as PokerStars text"),
    link("hands.phhs", "All finished hands as PHH"),
    link("hands.log", "All finished hands as an ACPC log"),
  ];
  return make("section", {}, make("h2", {}, "Downloads"), make("ul", { class: "downloads" }, files));
}
