/* The frame of all pages: the address after # selects the page, whose module is loaded on demand. */

import { openGlossary } from "./help/glossary.js";
import { followTour } from "./help/tour.js";
import { make } from "./page/elements.js";
import { nextTheme } from "./page/preferences.js";
import { tellPreparing } from "./page/preparing.js";

/** Pages by the first word of the address; each module has `show(root, ...parts)`, which may return a function that ends it. */
const PAGES = {
  "": { title: "Lobby", load: () => import("./lobby/lobby.js") },
  invite: { title: "Invitation", load: () => import("./lobby/invitation.js") },
  table: { title: "Table", load: () => import("./table/play.js") },
  session: { title: "Session", load: () => import("./afterwards/afterwards.js") },
  replay: { title: "Replay", load: () => import("./afterwards/replay.js") },
  explore: { title: "Explore", load: () => import("./explore/explore.js") },
  tournament: { title: "Tournaments", load: () => import("./tournaments/tournament.js") },
};
const THEMES = {
  auto: { sign: "◐", words: "Theme: system default" },
  light: { sign: "☀", words: "Theme: light" },
  dark: { sign: "☾", words: "Theme: dark" },
};

const root = document.getElementById("page");
const themeSwitch = document.getElementById("theme-switch");
let shown = 0;
let endPage = null;

/** The parts of an address such as `#/replay/abc/12?…`; what follows a question mark is the last part. */
function partsOf(hash) {
  const [path, query] = hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path.split("/").map(decodeURIComponent);
  return query === undefined ? parts : [...parts, `?${query}`];
}

async function showPage() {
  if (location.hash === "#page") return;
  shown += 1;
  const turn = shown;
  const [name, ...parts] = partsOf(location.hash);
  endPage?.();
  endPage = null;
  markPage(name);
  tellPreparing();
  const holder = make(
    "div",
    { class: `page page-${name || "lobby"}`, "data-address": location.hash, "aria-busy": "true" },
    make("p", { class: "loading" }, "Loading …"),
  );
  root.replaceChildren(holder);
  const page = PAGES[name];
  try {
    if (!page) throw new Error("This page does not exist.");
    const { show } = await page.load();
    if (turn !== shown) return;
    const end = await show(holder, ...parts);
    if (turn === shown) endPage = end ?? null;
    else end?.();
  } catch (error) {
    if (turn === shown) holder.replaceChildren(drawProblem(error));
  }
  holder.removeAttribute("aria-busy");
  if (turn !== shown) return;
  if (turn > 1) focusHeading();
  followTour(name);
}

function markPage(name) {
  document.title = name ? `${PAGES[name]?.title ?? "Not found"} · Railbird` : "Railbird";
  for (const link of document.querySelectorAll(".site nav a")) {
    if (link.dataset.page === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

/** A new page begins at its heading, for eyes, keys and ears. */
function focusHeading() {
  const heading = root.querySelector("h1") ?? root;
  heading.setAttribute("tabindex", "-1");
  heading.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

function drawProblem(error) {
  return make(
    "section",
    { class: "panel stack problem" },
    make("h1", {}, "Something went wrong"),
    make("p", { role: "alert" }, error.message),
    make("p", {}, make("a", { href: "#/" }, "Back to the lobby")),
  );
}

function tellTheme(theme) {
  const { sign, words } = THEMES[theme] ?? THEMES.auto;
  themeSwitch.textContent = sign;
  themeSwitch.setAttribute("aria-label", words);
  themeSwitch.title = words;
}

document.getElementById("help").addEventListener("click", () => openGlossary());
themeSwitch.addEventListener("click", () => tellTheme(nextTheme()));
tellTheme(document.documentElement.dataset.theme);
window.addEventListener("hashchange", showPage);
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  root.focus();
});
showPage();
