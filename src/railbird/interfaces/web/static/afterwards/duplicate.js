/* How an agent would have done: the same deals, played by it in the person's seat. */

import { named } from "../bots/names.js";
import { agentSelect } from "../bots/ratings.js";
import { make } from "../page/elements.js";
import { JobProgress } from "../page/jobs.js";
import { remember, remembered } from "../page/preferences.js";
import { agentsFor, answerOf } from "../page/session_data.js";
import { formatCount, hasInterval } from "../words/numbers.js";
import { rateWords } from "../words/units.js";

/** The question with its answer: an element, and a function that stops it. */
export async function drawDuplicate(base, session, summary) {
  if (session.watching || !summary.net.length) {
    return { element: "", stop: () => {} };
  }
  let progress = null;
  const agents = await agentsFor(session.game);
  const last = remembered("duplicate", "");
  const usual = agents.find(({ name }) => name === last) ?? agents[0];
  const choice = agentSelect({ id: "duplicate-agent" }, agents, usual.name);
  const button = make("button", { type: "submit" }, "Compare");
  const answer = make("div", { class: "duplicate-answer", role: "status" });
  const form = make(
    "form",
    { class: "duplicate-form" },
    make("label", { for: "duplicate-agent" }, "Bot in your seat "),
    choice,
    button,
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    remember("duplicate", choice.value);
    progress = new JobProgress("Hands replayed", "Starting the bots …");
    answer.replaceChildren(progress.element);
    try {
      const agent = choice.value;
      const { job, name } = await answerOf(`${base}/duplicate`, { agent });
      const found = await progress.follow(job);
      if (found) answer.replaceChildren(...resultOf(named(name, agent), found, summary.unit));
    } catch (error) {
      answer.replaceChildren(make("p", { class: "bad" }, error.message));
    }
    button.disabled = false;
  });
  const element = make(
    "section",
    {},
    make("h2", {}, "How would a bot have done in your seat?"),
    make("p", { class: "muted" }, "The bot gets your cards in every hand and plays against the same opponents."),
    form,
    answer,
  );
  return { element, stop: () => progress?.leave() };
}

function resultOf(who, { own, agent: other, difference, faults }, unit) {
  const rows = [
    ["You", own],
    [who, other],
    ["Difference", difference],
  ].map(([name, rate]) => {
    const [mean, bounds] = rateWords(rate, unit);
    return make("div", {}, make("dt", {}, name), make("dd", {}, bounds ? `${mean} (${bounds})` : mean));
  });
  return [
    make("p", {}, verdict(who.textContent, difference, unit)),
    make("dl", { class: "why-facts" }, rows),
    ...(faults ? [make("p", { class: "note bad" }, faultWords(faults))] : []),
  ];
}

/** Faults of all agents at the table: any of them plays worse than it could. */
function faultWords(faults) {
  if (faults === 1) return "A bot failed once and checked or folded instead.";
  return `Bots failed ${faults.toLocaleString("en")} times and checked or folded instead.`;
}

function verdict(agent, difference, unit) {
  const [amount] = rateWords({ ...difference, mean: Math.abs(difference.mean) }, unit);
  const direction = difference.mean < 0 ? "less" : "more";
  const sure = hasInterval(difference) && (difference.low > 0 || difference.high < 0);
  const doubt = sure ? "Luck alone is unlikely to explain the difference." : "The difference may still be luck.";
  const hands = formatCount(difference.hands, "hand");
  return `In ${hands} you won ${amount.replace("+", "")} ${direction} than ${agent}. ${doubt}`;
}
