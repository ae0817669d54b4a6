/* Cards as pictures and in words. A card is text such as "Ah"; null is a hidden card. */

import { make, draw } from "./elements.js";

const SUITS = {
  s: {
    name: "spades",
    shape:
      "M50 5C57 25 93 40 93 63c0 13-9 20-20 20-8 0-15-4-19-10 1 10 5 18 11 22H35c6-4 10-12 11-22-4 6-11 10-19 10" +
      "C16 83 7 76 7 63 7 40 43 25 50 5z",
  },
  h: {
    name: "hearts",
    shape: "M50 92C18 64 5 49 5 31 5 17 16 7 28 7c10 0 18 6 22 15C54 13 62 7 72 7c12 0 23 10 23 24 0 18-13 33-45 61z",
  },
  d: { name: "diamonds", shape: "M50 3c9 18 22 34 38 47-16 13-29 29-38 47-9-18-22-34-38-47C28 37 41 21 50 3z" },
  c: {
    name: "clubs",
    shape:
      "M50 5a21 21 0 0 1 17 33 21 21 0 1 1-13 35c1 10 5 18 11 22H35c6-4 10-12 11-22a21 21 0 1 1-13-35" +
      "A21 21 0 0 1 50 5z",
  },
};
const RANKS = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "ten",
  9: "nine",
  8: "eight",
  7: "seven",
  6: "six",
  5: "five",
  4: "four",
  3: "three",
  2: "two",
};

/** "ace of hearts", or "hidden card". */
export function nameOfCard(card) {
  return card === null ? "hidden card" : `${RANKS[card[0]]} of ${SUITS[card[1]].name}`;
}

/** Cards in words, for screen readers. */
export function nameOfCards(cards) {
  return cards.map(nameOfCard).join(", ");
}

const KICKERS = new RegExp(`(,? (and )?(${[...Object.values(RANKS), "trey", "deuce"].join("|")}))+ kickers?$`);

/** "pair of nines" of "pair of nines, king, jack and five kickers". */
export function withoutKickers(made) {
  return made.replace(KICKERS, "");
}

/** A card, face up or face down. When `key` changes, it is drawn as a new card. */
export function drawCard(card, key) {
  const attributes = { role: "img", "aria-label": nameOfCard(card), "data-key": key };
  if (card === null) return make("span", { class: "card back", ...attributes });
  const rank = card[0] === "T" ? "10" : card[0];
  return make(
    "span",
    { class: `card ${SUITS[card[1]].name}`, ...attributes },
    make("span", { class: "rank" }, rank),
    draw(
      "svg",
      { viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
      draw("path", { d: SUITS[card[1]].shape }),
    ),
  );
}
