/* Names of agents for people. The exact spec is a tooltip: for the pointer, at the keyboard's focus, and when tapped. */

import { make } from "../page/elements.js";

const GAP = 6;

/** A name with its spec; only the name if there is none, as for a person. `children` replace the plain name. */
export function named(name, spec, ...children) {
  const shown = children.length ? children : name;
  if (!spec) return make("span", {}, shown);
  // The title is also what a screen reader says after the name.
  return make("span", { class: "named", tabindex: "0", title: spec }, shown);
}

let about = null;
const tip = make("div", { class: "tip", "aria-hidden": "true", hidden: true });

function show({ target }) {
  about = target.closest?.(".named[title]");
  tip.hidden = !about;
  if (!about) return;
  // Dialogs are above everything else on the page.
  (about.closest("dialog") ?? document.body).append(tip);
  tip.textContent = about.title;
  place();
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
