/* The line that shows on every page how far the preparation of a first run is, and disappears when it is done. */

import { announce } from "./announce.js";
import { make } from "./elements.js";
import { answerOf } from "./session_data.js";

const INTERVAL = 1000;
const WORDS = "Preparing the bots, first run only";

/** Show the line in an element as long as the server prepares something. */
export async function tellPreparing(holder) {
  let { percent } = await answerOf("/api/preparation");
  if (percent === null) return;
  const figure = make("span", { "aria-hidden": "true" });
  const bar = make("progress", { max: "100", "aria-label": WORDS });
  holder.append(make("span", {}, WORDS, figure), bar);
  holder.hidden = false;
  announce(`${WORDS}.`);
  while (percent !== null) {
    figure.textContent = `: ${percent} %`;
    bar.value = percent;
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    percent = await answerOf("/api/preparation").then((answer) => answer.percent, () => percent);
  }
  holder.hidden = true;
  holder.replaceChildren();
  announce("The bots are ready.");
}
