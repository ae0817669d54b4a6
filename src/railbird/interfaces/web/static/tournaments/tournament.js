/* Tournaments of agents: start one, and watch its progress, standings and crosstable while it is played. */

import { named } from "../bots/names.js";
import { drawTrail } from "../explore/parts.js";
import { announce } from "../page/announce.js";
import { make, morph, useStyle } from "../page/elements.js";
import { answerOf } from "../page/session_data.js";
import { formatChips, formatCount, hasInterval } from "../words/numbers.js";
import { sentence } from "../words/sentences.js";
import { formatMargin, formatMean, unitName } from "../words/units.js";
import { NewTournament } from "./form.js";

const EVERY = 1000;
const STATES = { waiting: "waiting", playing: "being played", finished: "finished", failed: "failed" };
const ANNOUNCED = {
  waiting: "The tournament is waiting.",
  playing: "The tournament has started.",
  finished: "The tournament is finished.",
  failed: "The tournament has failed.",
};

useStyle("reasons/why.css");
useStyle("explore/explore.css");

/** Draw one tournament, or all tournaments of this player with a form for a new one. */
export async function show(root, id = "") {
  return id ? showOne(root, id) : showAll(root);
}

async function showAll(root) {
  const [lobby, { tournaments, bounds }] = await Promise.all([answerOf("/api/lobby"), answerOf("/api/tournaments")]);
  const list = make("div", {}, drawList(tournaments));
  root.replaceChildren(
    make(
      "header",
      { class: "explore-head" },
      make("h1", {}, "Tournaments"),
      make("p", { class: "muted" }, "Bots play each other at every possible table, with the same deals in every seating."),
    ),
    make(
      "div",
      { class: "tournament-all" },
      new NewTournament(lobby, bounds).element,
      make("section", { class: "panel stack" }, make("h2", {}, "Your tournaments"), list),
    ),
  );
  const busy = ({ state }) => state === "waiting" || state === "playing";
  if (!tournaments.some(busy)) return undefined;
  return poll(async () => {
    const now = await answerOf("/api/tournaments");
    list.replaceChildren(...[drawList(now.tournaments)].flat());
    return now.tournaments.some(busy);
  });
}

function drawList(tournaments) {
  if (!tournaments.length) return make("p", { class: "muted" }, "None yet.");
  return make(
    "ul",
    { class: "sessions", role: "list" },
    tournaments.map((each) =>
      make(
        "li",
        { class: "session" },
        make("p", { class: "session-title" }, make("a", { href: `#/tournament/${encodeURIComponent(each.id)}` }, titleOf(each))),
        make("p", { class: "muted small-text session-facts" }, drawNames(each)),
        make("p", { class: "muted small-text session-facts" }, make("span", {}, whenOf(each)), make("span", { class: "tag" }, sayState(each))),
      ),
    ),
  );
}

function titleOf({ game_title: game, agents }) {
  return `${game}, ${formatCount(agents.length, "bot")}`;
}

/** The agents of a tournament in a line, each with its spec. */
function drawNames({ names, agents }) {
  return make("span", {}, names.map((name, place) => [place ? ", " : "", named(name, agents[place])]));
}

function whenOf({ made }) {
  return new Date(made).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

function sayState({ state, before, progress }) {
  if (state === "waiting" && before) return `waiting, ${before} ahead`;
  if (state === "playing" && progress) return `${Math.floor((100 * progress.hands) / progress.all_hands)} %`;
  return STATES[state];
}

// One tournament

async function showOne(root, id) {
  const address = `/api/tournaments/${encodeURIComponent(id)}`;
  const first = await answerOf(address);
  const page = new TournamentPage(address, first);
  root.replaceChildren(page.element);
  if (page.isOver) return undefined;
  return poll(async () => {
    page.draw(await answerOf(address));
    return !page.isOver;
  });
}

/** Poll until the function returns false; returns a function that stops it. */
function poll(ask) {
  let timer = null;
  let ended = false;
  const next = async () => {
    let more = true;
    try {
      more = await ask();
    } catch {
      /* The server may be unavailable for a moment; try again. */
    }
    if (more && !ended) timer = setTimeout(next, EVERY);
  };
  timer = setTimeout(next, EVERY);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

class TournamentPage {
  #address;
  #state = "";
  #leader = "";

  constructor(address, tournament) {
    this.#address = address;
    this.status = make("p", {});
    this.bar = make("progress", { max: 1, value: 0, "aria-label": "Progress" });
    this.results = make("div", { class: "stack" });
    this.message = make("p", { class: "bad", role: "alert" });
    this.remove = make("button", { type: "button", onclick: () => this.#remove() });
    this.download = make("a", { class: "button", href: `${address}/results.json`, download: true, hidden: true }, "Download results");
    const { hands, matches, seed } = tournament;
    this.element = make(
      "div",
      { class: "stack tournament" },
      drawTrail(["Tournaments", "#/tournament"], [titleOf(tournament)]),
      make(
        "header",
        { class: "explore-head" },
        make("h1", {}, titleOf(tournament)),
        make("p", { class: "muted" }, drawNames(tournament), `: ${formatCount(hands, "deal")} at each table in every seating, played ${matches === 1 ? "once" : `${matches} times`}, seed ${seed}. `, whenOf(tournament)),
        make("details", { class: "recipe" }, make("summary", {}, "Command line"), make("p", {}, make("code", {}, tournament.command))),
      ),
      make("section", { class: "panel stack" }, this.status, this.bar, this.message, make("div", { class: "row" }, this.download, this.remove)),
      this.results,
    );
    this.draw(tournament);
  }

  get isOver() {
    return this.#state === "finished" || this.#state === "failed";
  }

  draw(tournament) {
    const { state, progress, error } = tournament;
    this.status.textContent = sayProgress(tournament);
    this.bar.hidden = state !== "playing";
    if (progress) this.bar.value = progress.hands / progress.all_hands;
    this.message.textContent = sentence(error);
    this.remove.textContent = this.#over(state) ? "Remove" : "Stop and remove";
    this.download.hidden = state !== "finished";
    if (tournament.players) morph(this.results, make("div", { class: "stack" }, drawStandings(tournament)));
    this.#say(state, tournament);
    this.#state = state;
  }

  #over(state) {
    return state === "finished" || state === "failed";
  }

  #say(state, { players, standings }) {
    const first = standings?.total_bankroll[0];
    // Before the first hand the list has a top, but there is no leader.
    const leader = players?.find(({ label, hands }) => label === first && hands > 0)?.name ?? "";
    if (this.#state && state !== this.#state) announce(ANNOUNCED[state]);
    if (leader && leader !== this.#leader) announce(`${leader} leads.`);
    this.#leader = leader;
  }

  async #remove() {
    this.remove.disabled = true;
    try {
      await answerOf(this.#address, null, "DELETE");
      location.hash = "#/tournament";
    } catch (error) {
      this.message.textContent = error.message;
      this.remove.disabled = false;
    }
  }
}

function sayProgress({ state, before, progress }) {
  if (state === "waiting") return before ? `Waiting: ${formatCount(before, "tournament")} ahead.` : "Starting in a moment.";
  if (state === "failed") return "The tournament could not be played.";
  if (!progress) return state === "finished" ? "Finished." : "Starting in a moment.";
  const { matches, all_matches, hands, all_hands } = progress;
  const far = `${hands.toLocaleString("en")} of ${formatCount(all_hands, "hand")}, ${matches} of ${matchesOf(all_matches)}`;
  return state === "finished" ? `Finished: ${formatCount(all_hands, "hand")} in ${matchesOf(all_matches)}.` : far;
}

function matchesOf(count) {
  return count === 1 ? "1 match" : `${count} matches`;
}

function drawStandings({ unit, players, standings, crosstable, void: voided }) {
  const byLabel = Object.fromEntries(players.map((player) => [player.label, player]));
  const order = standings.total_bankroll;
  const runoff = standings.instant_runoff;
  const rows = order.map((label, place) => {
    const { name, agent, hands, net, rate } = byLabel[label];
    return make(
      "tr",
      {},
      make("td", { class: "number" }, String(place + 1)),
      make("th", { scope: "row" }, named(name, agent)),
      make("td", { class: `number ${colour(rate?.mean)}`.trim() }, rate ? formatMean(rate.mean, unit) : "–"),
      make("td", { class: "number muted" }, rate ? sayError(rate, unit) : ""),
      make("td", { class: "number" }, rate ? formatChips(net) : "–"),
      make("td", { class: "number" }, hands.toLocaleString("en")),
      make("td", { class: "number" }, runoff ? String(runoff.indexOf(label) + 1) : "–"),
    );
  });
  const columns = [["", "number"], ["bot", ""], [`${unitName(unit)} per hand`, "number"], ["± 95 %", "number"], ["chips", "number"], ["hands", "number"], ["run-off", "number"]];
  return [
    make("h2", {}, "Standings"),
    drawScrolled("Standings", columns, rows),
    make("p", { class: "muted small-text" }, "Ranked by total winnings over all tables. The run-off repeatedly removes the worst bot; its result is known once every table has been played."),
    make("h2", {}, "Crosstable"),
    drawScrolled("Crosstable", [[`${unitName(unit)} per hand, won from`, ""], ...order.map((label) => [byLabel[label].name, "number"])], order.map((label) => drawCrossRow(byLabel[label], order, crosstable, unit))),
    ...voided.map((sentence) => make("p", { class: "note bad" }, `Void: ${sentence}`)),
  ];
}

function drawCrossRow({ label, name, agent }, order, crosstable, unit) {
  const cells = order.map((other) => {
    const rate = crosstable[label][other];
    if (!rate) return make("td", { class: "number muted" }, label === other ? "" : "–");
    return make("td", { class: "number" }, make("span", { class: colour(rate.mean) }, formatMean(rate.mean, unit)), make("span", { class: "muted small-text" }, ` ${sayError(rate, unit)}`));
  });
  return make("tr", {}, make("th", { scope: "row" }, named(name, agent)), cells);
}

function drawScrolled(name, columns, rows) {
  const heading = columns.map(([words, kind]) => make("th", { scope: "col", class: kind || null }, words));
  return make(
    "div",
    { class: "why-scroll", tabindex: "0", role: "region", "aria-label": name },
    make("table", { class: "why-table" }, make("thead", {}, make("tr", {}, heading)), make("tbody", {}, rows)),
  );
}

function sayError(rate, unit) {
  return hasInterval(rate) ? formatMargin(rate, unit) : "";
}

function colour(value) {
  return value > 0 ? "good" : value < 0 ? "bad" : "";
}
