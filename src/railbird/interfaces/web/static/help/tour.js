/* A short tour: it starts in the lobby, goes on at the table, and can be left and started again at any time. */

import { make } from "../page/elements.js";
import { remember, remembered } from "../page/preferences.js";

const PREFERENCE = "tour";
const OVER = "over";
/** Classes of the corners in which the card may be, the best first. */
const CORNERS = ["", "start", "above", "above start"];
/** Each step belongs to a page and shows a part of it. */
const STEPS = [
  {
    page: "",
    target: ".games-choice",
    title: "Choose a game",
    text: "Limit games have fixed bets and are easier to start with. In no-limit games you may bet all of your chips.",
  },
  {
    page: "",
    target: ".recommended",
    title: "Choose your opponents",
    text: "Stars show how strong each bot is. Press Play at the friendly table: the tour continues there.",
  },
  {
    page: "table",
    target: ".actions",
    title: "Play",
    text: "Your buttons appear here when it is your turn. The bots wait for you, so take your time.",
  },
  {
    page: "table",
    target: ".history",
    title: "Ask why",
    text: "When a hand is over, every action of a bot has a “Why?” button: the bot explains what it was thinking.",
  },
  {
    page: "table",
    target: "[data-tool=advisor]",
    title: "Ask for advice",
    text: "Advisor tells you what the strongest bot would do with your cards. Strength tells you how good your hand is.",
  },
  {
    page: "table",
    target: "[data-tool=options]",
    title: "Review",
    text: "Open Options to end the session. You then see your results, replay every hand, and find out what you could have done better. Have fun!",
  },
];

let card = null;
let shownPage = null;

/** An offer of the tour for somebody who has not seen it; null for everybody else. */
export function drawTourOffer() {
  if (remembered(PREFERENCE, null) !== null) return null;
  const skip = () => {
    remember(PREFERENCE, OVER);
    offer.remove();
  };
  const offer = make(
    "section",
    { class: "note tour-offer", "aria-label": "Tour" },
    make("p", {}, "New here? A short tour shows you how to choose a table, play, and ask the bots why."),
    make("button", { type: "button", class: "primary", onclick: startTour }, "Take the tour"),
    make("button", { type: "button", class: "quiet", onclick: skip }, "Skip"),
  );
  return offer;
}

/** Start the tour on this page, or in the lobby if this page has no part in it. */
export function startTour() {
  document.querySelector(".tour-offer")?.remove();
  const first = STEPS.findIndex(({ page }) => page === shownPage);
  remember(PREFERENCE, Math.max(0, first));
  if (first < 0) location.hash = "#/";
  else showStep(first);
}

/** Show the next step of a tour under way if it belongs to the page that is shown now. */
export function followTour(page) {
  shownPage = page;
  hideCard();
  const step = Number.parseInt(remembered(PREFERENCE, OVER), 10);
  if (!(step in STEPS)) return;
  const first = STEPS.findIndex((each) => each.page === page);
  if (first > step) showStep(first);
  else if (STEPS[step].page === page) showStep(step);
}

function showStep(step) {
  hideCard();
  remember(PREFERENCE, step);
  const { page, target, title, text } = STEPS[step];
  const button = (words, to, kind = null) =>
    make("button", { type: "button", class: kind, onclick: () => showStep(to) }, words);
  const before = STEPS[step - 1]?.page === page;
  const after = STEPS[step + 1]?.page === page;
  const last = step === STEPS.length - 1;
  const heading = make("h2", { id: "tour-title", tabindex: "-1" }, title);
  card = make(
    "section",
    { class: "panel tour", role: "dialog", "aria-labelledby": "tour-title", "aria-describedby": "tour-text" },
    make("p", { class: "muted small-text" }, `Tour, step ${step + 1} of ${STEPS.length}`),
    heading,
    make("p", { id: "tour-text" }, text),
    make(
      "div",
      { class: "row" },
      before ? button("Back", step - 1) : null,
      after ? button("Next", step + 1, "primary") : null,
      make("button", { type: "button", class: last ? "primary" : "quiet", onclick: endTour }, last ? "Done" : "End the tour"),
    ),
  );
  card.addEventListener("keydown", (event) => {
    if (event.key === "Escape") endTour();
  });
  document.querySelector("main").before(card);
  point(document.querySelector(target));
  heading.focus({ preventScroll: true });
}

/** Mark the part that a step is about, and put the card into a corner of the window where it does not cover the part. */
function point(part) {
  if (!part) return;
  part.classList.add("toured");
  const { top, bottom } = part.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) part.scrollIntoView({ block: "start" });
  const corner = CORNERS.find((classes) => {
    card.className = `panel tour ${classes}`;
    return !covers(card.getBoundingClientRect(), part.getBoundingClientRect());
  });
  if (corner === undefined) card.className = "panel tour";
}

function covers(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function endTour() {
  remember(PREFERENCE, OVER);
  hideCard();
  document.querySelector("h1")?.focus({ preventScroll: true });
}

function hideCard() {
  document.querySelector(".toured")?.classList.remove("toured");
  card?.remove();
  card = null;
}
