/* "Hands to review": the decisions that an agent would have made differently, the most expensive first. */

import { named } from "../bots/names.js";
import { agentSelect } from "../bots/ratings.js";
import { announce } from "../page/announce.js";
import { make, unseen } from "../page/elements.js";
import { JobProgress } from "../page/jobs.js";
import { agentsFor, answerOf, cardsOf } from "../page/session_data.js";
import { drawReasons } from "../reasons/why.js";
import { formatCount, formatShare } from "../words/numbers.js";
import { unbroken } from "../words/sentences.js";
import { formatUnits } from "../words/units.js";

const SHOWN = 10;
const NOBODY = "No bot here plays this game well yet, but you can ask any of them.";

/** The section, and a function that is called when the page is left; `begins` at once if nothing is kept. */
export async function drawReview(base, session, begins) {
  const [agents, { agent, kept }] = await Promise.all([agentsFor(session.game), answerOf(`${base}/review`)]);
  const choice = agentSelect({ id: "reviewer" }, agents, kept?.agent ?? agent);
  const button = make("button", { type: "submit", class: "primary" }, "Review my decisions");
  const answer = make("div", { class: "review-answer" });
  let progress = null;
  const ask = async () => {
    button.disabled = true;
    progress = new JobProgress("Hands reviewed", "Starting the bot …");
    answer.replaceChildren(progress.element);
    try {
      const { job } = await answerOf(`${base}/review`, { agent: choice.value });
      const found = await progress.follow(job);
      if (found) {
        answer.replaceChildren(...drawFound(base, session, found));
        announce(sentenceOf(found, session.unit));
      }
    } catch (error) {
      answer.replaceChildren(make("p", { class: "bad", role: "alert" }, error.message));
    }
    button.disabled = false;
  };
  const form = make(
    "form",
    { class: "duplicate-form" },
    make("label", { for: "reviewer" }, "Reviewer "),
    choice,
    button,
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    ask();
  });
  if (kept) answer.replaceChildren(...drawFound(base, session, kept));
  else if (begins && agent) ask();
  const element = make(
    "section",
    { class: "review" },
    make("h2", {}, "Hands to review"),
    make(
      "p",
      { class: "muted" },
      "A strong bot goes through your decisions, knowing only what you knew at the time. The review is kept until you play another hand. ",
      agent ? null : NOBODY,
    ),
    form,
    answer,
  );
  return { element, stop: () => progress?.leave() };
}

function drawFound(base, session, found) {
  const items = found.findings.map((finding) => drawFinding(base, session, found, finding));
  const list = make("ol", { class: "findings", role: "list" }, items.slice(0, SHOWN));
  const rest = items.slice(SHOWN);
  const showRest = () => {
    all.remove();
    list.append(...rest);
    rest[0].querySelector("a").focus();
  };
  const all = make("button", { type: "button", onclick: showRest }, `Show ${rest.length} more`);
  const unlisted = found.different - items.length;
  return [
    make("p", {}, sentenceOf(found, session.unit)),
    found.different ? make("p", { class: "muted" }, orderWords(found)) : null,
    list,
    rest.length ? all : null,
    unlisted > 0 ? make("p", { class: "muted" }, `${formatCount(unlisted, "more decision")} not listed.`) : null,
    found.faults ? make("p", { class: "note bad" }, faultWords(found)) : null,
  ].filter(Boolean);
}

function sentenceOf({ name, measure, decisions, different, cost }, unit) {
  const all = decisions === 1 ? "your only decision" : `your ${decisions.toLocaleString("en")} decisions`;
  if (!different) return `${name} found nothing to object to in ${all}.`;
  const some = decisions === 1 ? all : `${different.toLocaleString("en")} of ${all}`;
  if (measure === "chance") return `${name} rarely or never does what you did in ${some}.`;
  const sentence = `${name} would have acted differently in ${some}.`;
  if (measure === "action") return sentence;
  return `${sentence} By its estimate, this cost you ${lossOf(cost, unit)} in total.`;
}

/** What the order of the list means: costs, or how unlikely the own action was. */
function orderWords({ name, measure, close }) {
  if (measure === "chance") {
    return `Ordered by how rarely ${name} takes your action; it does not estimate what an action costs.`;
  }
  if (measure === "action") return `The largest pots come first: ${name} states neither values nor probabilities.`;
  const more = close === 1 ? "1 more was" : `${close} more were`;
  return `Ordered by expected value, the most expensive first.${close ? ` ${more} too close to call.` : ""}`;
}

function faultWords({ name, faults }) {
  if (faults === 1) return `${name} failed once; this decision is left out.`;
  return `${name} failed ${faults.toLocaleString("en")} times; these decisions are left out.`;
}

function drawFinding(base, session, { name, agent }, finding) {
  const { hand, step, round, cards, board, own } = finding;
  const where = `Hand ${hand}, ${round.toLowerCase()}`;
  const reasons = make("div", { class: "finding-why", hidden: true });
  const why = make(
    "button",
    {
      type: "button",
      class: "small-button",
      "aria-expanded": "false",
      onclick: () => toggleWhy(why, reasons, `${base}/review/${hand}/${step}`),
    },
    "Why?",
    unseen(` ${where}`),
  );
  return make(
    "li",
    { class: "finding" },
    make(
      "p",
      { class: "finding-place" },
      make("a", { href: `#/replay/${session.id}/${hand}/${step}` }, where),
      cardsOf(cards),
      board.length ? cardsOf(board) : null,
    ),
    make("p", {}, make("span", { class: "muted" }, "Your action: "), own),
    make("p", {}, make("span", { class: "muted" }, named(name, agent), ": "), finding.agent),
    make("p", { class: "finding-cost" }, costWords(name, finding, session.unit)),
    why,
    reasons,
  );
}

function costWords(name, { cost, error, chance }, unit) {
  if (cost !== null) {
    return make(
      "span",
      { class: "number bad", title: "expected value and standard error" },
      formatUnits(-cost, unit),
      error ? make("span", { class: "muted" }, ` ± ${lossOf(error, unit).split(" ")[0]}`) : null,
    );
  }
  if (chance === null) return null;
  return chance === 0 ? `${name} never does this` : unbroken(`${name} does this ${formatShare(chance)} of the time`);
}

async function toggleWhy(button, box, address) {
  const opens = box.hidden;
  button.setAttribute("aria-expanded", String(opens));
  box.hidden = !opens;
  if (!opens || box.childElementCount) return;
  try {
    box.replaceChildren(drawReasons(await answerOf(address)));
  } catch (error) {
    box.replaceChildren(make("p", { class: "bad", role: "alert" }, error.message));
  }
}

function lossOf(chips, unit) {
  return formatUnits(chips, unit).replace("+", "");
}
