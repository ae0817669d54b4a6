/* The glossary: the terms of poker and of the agents that the pages use, in a dialog that can be opened everywhere. */

import { openDialog } from "../page/dialog.js";
import { make } from "../page/elements.js";
import { startTour } from "./tour.js";

/** The term behind the stars of agents. */
export const STARS = "Stars";
/** Terms in alphabetical order: the term, what it means, and the words of the pages that stand for it, if any. */
const TERMS = [
  ["3-bet", "A reraise: the blind is the first bet, a raise the second, a reraise the third.", /^3-bet$/i],
  ["Advisor", "A bot that tells you what it would do with your cards. It knows only what you know."],
  ["Aggression", "The aggression factor is the number of bets and raises per call: above 1, a player bets and raises more often than calls. The aggression frequency is the share of bets and raises among all decisions except checks.", /^aggression/i],
  ["Bayesian network", "A model that turns what was seen, such as bets and the board, into probabilities of what was not, such as the kind of hand an opponent holds."],
  ["Big blind and small blind", "Bets that the two players after the button must make before cards are dealt. In limit games the big blind is one small bet."],
  ["Board", "The shared cards in the middle: three on the flop, one on the turn and one on the river."],
  ["Bot", "A program that plays, also called an agent. Every bot explains its actions."],
  ["Button", "The dealer’s position. It moves by one seat after every hand, and the player there acts last after the flop."],
  ["Case", "A remembered situation with the action that was taken and how it ended. Some bots decide by looking up the most similar cases.", /\bcases?\b/i],
  ["Duplicate", "The same cards are dealt again with the seats exchanged: everyone gets the same luck, so the results show skill."],
  ["Equilibrium", "A strategy that no opponent can exploit. Bots that play close to one do not adapt to you, and you cannot outguess them."],
  ["Equity", "The share of the pot that a hand would win on average if the remaining cards were dealt without further betting.", /^equity\b/i],
  ["Hand strength", "How likely a hand is to be the best one right now. Effective hand strength adds the chance that it becomes the best one.", /^(effective )?hand strength$/i],
  ["Heads-up", "A game or a hand between two players."],
  ["Interval (95 %, ±)", "The range in which the true average probably lies. With few hands it is wide, because luck has not evened out."],
  ["Limit and no-limit", "In limit games every bet has a fixed size. In no-limit games you may bet any amount up to all of your chips."],
  ["PFR", "Preflop raise: the share of hands in which a player raises before the flop.", /^PFR$/],
  ["Pot odds", "The price of a call as a share of the pot after it: calling 10 into a pot of 50 pays if you win more than one time in six.", /^pot odds$/i],
  ["Potential", "Positive: the chance that a hand which is behind becomes the best one. Negative: the chance that the best one falls behind.", /^(positive|negative) potential$/i],
  ["Range", "All hands that a player may hold, or would play in the same way."],
  ["Ring game", "A table with more than two players."],
  ["Showdown", "The end of a hand in which the remaining players show their cards and the best hand wins."],
  ["Similarity", "How much a remembered case resembles the present situation, from 0 % (nothing in common) to 100 % (the same).", /^(total )?similarity$/i],
  ["Simulated hands", "A bot plays the rest of the hand many times with cards that its opponents may hold, and compares how each action does.", /^simulated hands$/i],
  ["Small bet and big bet", "The bet sizes of a limit game: small bets before and on the flop, big bets on the turn and the river. Results are counted in small bets."],
  [STARS, "How strong a bot is in a game, measured by tournaments between the bots. Five stars: among the strongest. Four: it wins. Three: it roughly breaks even. Two: it loses. One: it loses about as much as by folding every hand, or more. In ring games the stars come from tables of six."],
  ["Training", "A table where you see all cards and reasons at once, or choose the hands that you are dealt. Its results do not count."],
  ["VPIP", "Voluntarily put in pot: the share of hands in which a player pays to see the flop. At full tables tight players are below 20 %, loose ones above 40 %.", /^VPIP$/],
  ["W$SD", "Won money at showdown: the share of showdowns in which a player wins chips.", /^W\$SD$/],
  ["Win rate", "What a player wins or loses per hand on average: in small bets in limit games, in big blinds in no-limit games."],
  ["WTSD", "Went to showdown: the share of hands in which a player who sees the flop stays to the showdown.", /^WTSD$/],
];

/** Open the glossary, at a term if one is named. */
export function openGlossary(asked = null) {
  const entries = TERMS.map(([term, meaning]) =>
    make("div", { class: "entry", "data-term": term }, make("dt", {}, term), make("dd", {}, meaning)),
  );
  const none = make("p", { class: "muted", hidden: true }, "No matching term.");
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
        make("span", { class: "muted small-text" }, "Six short steps through the lobby and the table"),
      ),
      make("h3", { id: "glossary-title" }, "Glossary"),
      make("div", { class: "field" }, make("label", { for: "glossary-filter" }, "Find a term"), filter),
      make("dl", { class: "glossary", tabindex: "0", "aria-labelledby": "glossary-title" }, entries),
      none,
    ),
  );
  const found = entries.find((entry) => entry.dataset.term === asked);
  if (found) {
    found.classList.add("asked");
    found.setAttribute("tabindex", "-1");
    found.scrollIntoView({ block: "center" });
    found.focus();
  }
}

/** Words that open the glossary at a term. */
export function termLink(term, words) {
  return make("button", { type: "button", class: "term", onclick: () => openGlossary(term) }, words);
}

/** The same words, as a link to the glossary if they stand for one of its terms. */
export function explained(words) {
  const found = TERMS.find(([, , pattern]) => pattern?.test(words));
  return found ? termLink(found[0], words) : words;
}
