/* The glossary: the terms of poker and of the agents that the pages use, in a dialog that can be opened everywhere. */

import { openDialog } from "./dialog.js";
import { make } from "./elements.js";
import { startTour } from "./tour.js";

/** Terms in alphabetical order: a name for links, the term, and what it means. */
const TERMS = [
  ["advisor", "Advisor", "A bot that tells you what it would do with your cards. It knows only what you know."],
  [
    "aggression",
    "Aggression",
    "How often a player bets or raises compared with how often the player calls. Above 1 means more bets and raises than calls.",
  ],
  [
    "network",
    "Bayesian network",
    "A model that turns what was seen, such as bets and the board, into probabilities of what was not, such as the kind of hand an opponent has.",
  ],
  ["blind", "Big blind, small blind", "The bets that the two players after the button must make before the cards are dealt. In limit games the big blind is one small bet."],
  ["board", "Board", "The shared cards in the middle: three on the flop, one on the turn, one on the river."],
  ["button", "Button", "The dealer’s position. It moves by one seat after every hand; the player on the button acts last after the flop."],
  [
    "case",
    "Case",
    "A remembered situation with the action that was taken in it and how it ended. Some bots decide by looking up the most similar cases.",
  ],
  [
    "duplicate",
    "Duplicate",
    "The same cards are dealt again with the seats exchanged, so that everyone gets the same luck and the results show skill.",
  ],
  [
    "equilibrium",
    "Equilibrium",
    "A strategy that no opponent can exploit. Bots that play close to one do not adapt to you, and cannot be outguessed.",
  ],
  ["equity", "Equity", "The share of the pot that a hand would win on average if all remaining cards were dealt now without further betting."],
  [
    "strength",
    "Hand strength",
    "How likely your hand is to be the best one right now, against the hands that your opponents may hold.",
  ],
  ["heads-up", "Heads-up", "A game or a hand between two players."],
  [
    "interval",
    "95 % interval, ±",
    "The range in which the true average probably lies. With few hands it is wide, because luck has not evened out.",
  ],
  ["limit", "Limit and no-limit", "In limit games every bet has a fixed size. In no-limit games any bet up to all of your chips is allowed."],
  ["pfr", "PFR", "Pre-flop raise: the share of hands in which a player raises before the flop."],
  ["potential", "Potential", "The chance that a hand which is behind becomes the best one (positive), or that the best one falls behind (negative)."],
  ["odds", "Pot odds", "The price of a call compared with the pot: calling 10 to win 50 pays if you win more than one time in six."],
  ["range", "Range", "All the hands that a player may hold, or would play in the same way."],
  ["ring", "Ring game", "A table with more than two players."],
  ["showdown", "Showdown", "The end of a hand in which the remaining players show their cards and the best hand wins."],
  ["similarity", "Similarity", "How much a remembered case resembles the present situation, from 0 % (nothing in common) to 100 % (the same)."],
  ["simulation", "Simulated hands", "A bot plays the rest of the hand many times with cards that its opponents may hold, and compares how each action does."],
  ["big-bet", "Small bet, big bet", "The two bet sizes of a limit game: small bets before and on the flop, big bets on the turn and the river. Results are counted in small bets."],
  [
    "stars",
    "Stars",
    "How strong a bot is in a game, measured by tournaments between the bots. Five stars: it wins, and none is certain to win more. Four: it wins. Three: it about breaks even. Two: it loses. One: it loses about as much as by folding every hand, or more. In ring games the stars come from tables of six.",
  ],
  ["training", "Training", "A table where you see all cards and reasons at once, or choose the hands you are dealt. Its results do not count."],
  ["vpip", "VPIP", "Voluntarily put in pot: the share of hands in which a player pays to see the flop. Tight players are below 20 %, loose ones above 40 % at full tables."],
  ["rate", "Win rate", "What a player wins or loses per hand on average: in small bets in limit games, in big blinds in no-limit games."],
];

/** Open the glossary, at a term if one is named. */
export function openGlossary(name = null) {
  const entries = TERMS.map(([id, term, meaning]) =>
    make("div", { class: "entry", "data-term": id }, make("dt", {}, term), make("dd", {}, meaning)),
  );
  const none = make("p", { class: "muted", hidden: true }, "No such term.");
  const filter = make("input", { type: "search", id: "glossary-filter", autocomplete: "off" });
  filter.addEventListener("input", () => {
    const wanted = filter.value.trim().toLowerCase();
    for (const entry of entries) entry.hidden = !entry.textContent.toLowerCase().includes(wanted);
    none.hidden = entries.some((entry) => !entry.hidden);
  });
  const tour = () => {
    dialog.close();
    startTour();
  };
  const dialog = openDialog(
    "Help",
    make(
      "div",
      { class: "stack help" },
      make(
        "p",
        { class: "row" },
        make("button", { type: "button", class: "primary", onclick: tour }, "Take the tour"),
        make("span", { class: "muted small-text" }, "Six short steps through lobby and table"),
      ),
      make("h3", { id: "glossary-title" }, "Glossary"),
      make("div", { class: "field" }, make("label", { for: "glossary-filter" }, "Find a term"), filter),
      make("dl", { class: "glossary", tabindex: "0", "aria-labelledby": "glossary-title" }, entries),
      none,
    ),
  );
  const found = entries.find((entry) => entry.dataset.term === name);
  if (found) {
    found.classList.add("asked");
    found.setAttribute("tabindex", "-1");
    found.scrollIntoView({ block: "center" });
    found.focus();
  }
}

/** Words that open the glossary at a term. */
export function termLink(name, words) {
  return make("button", { type: "button", class: "term", onclick: () => openGlossary(name) }, words);
}
