/*
 * Names of agents for people. The exact spec is a tooltip: for the pointer, at the keyboard's focus, and when tapped. It
 * begins with the whole name where there was no room for it.
 */

import { make } from "../page/elements.js";

const GAP = 6;
const SHORT = 10;
/* Words from this length on are shortened to so many letters where there is little room. */
const [LONG, KEPT] = [14, 10];

/** A name with its spec; only the name if there is none, as for a person. `children` replace the plain name. */
export function named(name, spec, ...children) {
  const shown = children.length ? children : name;
  if (!spec) return make("span", {}, shown);
  // The title is also what a screen reader says after the name.
  return make("span", { class: "named", tabindex: "0", title: spec }, shown);
}

/** A name on a plate, which may shorten long words and cut the end, but never the number that tells namesakes apart. */
export function namedInLittleRoom(name, spec) {
  const [, front, number = ""] = name.match(/^(.*?)( \d{1,2})?$/);
  const shown = [make("span", { class: "front" }, front.split(/(?<= )/).map(drawWord)), make("span", {}, number)];
  if (!spec && name.length <= SHORT) return make("span", {}, shown);
  const whole = spec ? `${name} (${spec})` : name;
  return make("span", { class: "named", tabindex: "0", title: spec || name, "data-whole": whole }, shown);
}

/** "Tight-aggressive", whose end is replaced by a full stop where there is little room. */
function drawWord(word) {
  if (word.trimEnd().length < LONG) return word;
  const end = word.trimEnd();
  return [end.slice(0, KEPT), make("span", { class: "rest" }, end.slice(KEPT)), word.slice(end.length)];
}

/** A `select` whose tooltip is the exact spec of what is chosen: `specOf` is asked for it. */
export function specSelect(attributes, options, specOf = (select) => select.value) {
  const select = make("select", { ...attributes, class: "named" }, options);
  const tell = () => {
    select.title = specOf(select);
    if (about === select) write();
  };
  select.addEventListener("change", tell);
  // Whoever makes the select may put other elements beside it first.
  queueMicrotask(tell);
  return select;
}

let about = null;
const tip = make("div", { class: "tip", "aria-hidden": "true", hidden: true });

function show({ target }) {
  about = target.closest?.(".named[title]");
  tip.hidden = !about;
  if (!about) return;
  // Dialogs are above everything else on the page.
  (about.closest("dialog") ?? document.body).append(tip);
  write();
}

function write() {
  tip.textContent = isCut(about) ? about.dataset.whole : about.title;
  place();
}

/** Whether a part of a name is not shown on its plate. */
function isCut(name) {
  const front = name.querySelector(".front");
  if (!front) return false;
  const rests = [...front.querySelectorAll(".rest")];
  const isShort = rests.some((rest) => getComputedStyle(rest).fontSize === "0px");
  return isShort || front.scrollHeight > front.clientHeight + 1 || front.scrollWidth > front.clientWidth + 1;
}

function place() {
  if (tip.hidden) return;
  const { left, bottom, top } = about.getBoundingClientRect();
  const below = bottom + GAP + tip.offsetHeight <= innerHeight;
  tip.style.left = `${Math.max(GAP, Math.min(left, innerWidth - tip.offsetWidth - GAP))}px`;
  tip.style.top = `${below ? bottom + GAP : top - GAP - tip.offsetHeight}px`;
}

function hide() {
  tip.hidden = true;
}

document.addEventListener("focusin", show);
document.addEventListener("focusout", hide);
// The browser scrolls to what gets the focus after it has it.
document.addEventListener("scroll", place, { capture: true, passive: true });
document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
