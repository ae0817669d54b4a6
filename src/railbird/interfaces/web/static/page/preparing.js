/* The line that shows on every page how far the preparation of a first run is, and disappears when it is done. */

import { announce } from "./announce.js";
import { make } from "./elements.js";
import { answerOf } from "./session_data.js";

const INTERVAL = 1000;
/** How often in a row the server is asked whether it prepares something after all. */
const ATTEMPTS = 4;

const holder = document.getElementById("preparing");
let left = 0;

/** Show the line as long as the server prepares something: when a page is opened, or something is asked of an agent. */
export async function tellPreparing() {
  const isTelling = left > 0;
  left = ATTEMPTS;
  if (isTelling) return;
  let words = "";
  while (left > 0) {
    const answer = await answerOf("/api/preparation").catch(() => null);
    left -= 1;
    if (answer?.percent != null) {
      left = ATTEMPTS;
      words = draw(answer, words);
    } else if (answer && words) {
      words = "";
      holder.hidden = true;
      holder.replaceChildren();
      announce("The bots are ready.");
    }
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  }
}

/** Draw the line, which is announced when its words change; returns them. */
function draw({ percent, what }, before) {
  const words = `Preparing ${what}, first run only`;
  if (words !== before) {
    const figure = make("span", { "aria-hidden": "true" });
    const bar = make("progress", { max: "100", "aria-label": words });
    holder.replaceChildren(make("span", {}, words, figure), bar);
    holder.hidden = false;
    announce(`${words}.`);
  }
  holder.querySelector("[aria-hidden]").textContent = `: ${percent} %`;
  holder.querySelector("progress").value = percent;
  return words;
}
