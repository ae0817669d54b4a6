/* Questions at the table: why a player acted, its whole range there, how strong the hand is, what an agent would do. */

import { agentSelect } from "../bots/ratings.js";
import { announce } from "../page/announce.js";
import { make } from "../page/elements.js";
import { remember, remembered } from "../page/preferences.js";
import { tellPreparing } from "../page/preparing.js";
import { agentsFor } from "../page/session_data.js";
import { drawFacts, drawReasons, drawSection } from "../reasons/why.js";

const WAIT = "One moment …";

export class Questions {
  #connection;
  #panel;
  #game;
  #agents = null;

  /** `game` is the session's game; answers are shown in `panel`. */
  constructor(connection, panel, game) {
    this.#connection = connection;
    this.#panel = panel;
    this.#game = game;
  }

  /** Why was this action done? */
  why(hand, step) {
    const question = { title: "Why?", moment: { hand }, holds: true };
    return this.#ask(question, "why", { hand, step }, ({ reasons, round }, asked) => {
      asked.date({ hand, round });
      const drawn = drawReasons(reasons);
      if (reasons.strategy?.length) drawn.append(this.#rangeOffer(hand, step));
      return drawn;
    });
  }

  /** A button that asks for the agent's whole range at an action, and is replaced by its grids. */
  #rangeOffer(hand, step) {
    const told = make("p", { class: "muted", role: "status" });
    const show = async () => {
      button.disabled = true;
      told.textContent = WAIT;
      try {
        const { sections } = await this.#connection.ask("range", { hand, step });
        if (!box.isConnected) return;
        box.replaceChildren(...sections.map(drawSection));
        box.scrollIntoView({ block: "nearest" });
        announce(`Range: ${sections.map(({ title }) => title).join(". ")}`);
      } catch (error) {
        told.textContent = error.message;
        button.disabled = false;
      }
    };
    const button = make("button", { type: "button", class: "small", onclick: show }, "Show range");
    const box = make("div", { class: "why-range" }, button, told);
    return box;
  }

  /** How strong is the hand that the person holds? */
  strength(view) {
    const { hand, round, step } = view;
    return this.#ask({ title: "Your hand", moment: { hand, round, step } }, "strength", { hand, step }, ({ facts }) =>
      drawFacts(facts),
    );
  }

  /** The preference for an advisor in this game; the strongest agent gives advice unless another was chosen. */
  get #advisorOfGame() {
    return `advisor.${this.#game.split(":", 1)[0]}`;
  }

  /** Choose an agent, and show what it would do. */
  async advisor(view) {
    const asked = this.#panel.open({ title: "Advisor" }, make("p", { class: "muted" }, WAIT));
    try {
      this.#agents ??= await agentsFor(this.#game);
    } catch (error) {
      asked.fill(make("p", { class: "bad", role: "alert" }, error.message));
      return;
    }
    if (!asked.stands) return;
    const usual = remembered(this.#advisorOfGame, this.#agents[0].name);
    const choice = agentSelect({ id: "advisor-agent" }, this.#agents, usual);
    const about = make("p", { class: "muted small-text" });
    const tell = () => {
      about.textContent = this.#agents.find(({ name }) => name === choice.value)?.summary ?? "";
    };
    const answer = make("div", { class: "advice", role: "status" });
    const submit = make("button", { type: "submit", class: "primary" }, "Ask");
    const advise = async (event) => {
      event.preventDefault();
      submit.disabled = true;
      await this.#advise(asked, view(), choice.value, answer);
      submit.disabled = false;
    };
    const form = make(
      "form",
      { class: "stack", onsubmit: advise },
      make(
        "div",
        { class: "field" },
        make("label", { for: "advisor-agent" }, "What would this bot do in your seat?"),
        choice,
      ),
      about,
      submit,
    );
    choice.addEventListener("change", tell);
    tell();
    asked.fill(form, answer);
    choice.focus();
  }

  async #advise(asked, { hand, round, step }, agent, answer) {
    remember(this.#advisorOfGame, agent);
    asked.date({ hand, round, step });
    const { title } = this.#agents.find(({ name }) => name === agent);
    answer.replaceChildren(make("p", { class: "muted" }, `${title} is thinking …`));
    tellPreparing();
    try {
      const { reasons } = await this.#connection.ask("advise", { hand, step, agent });
      answer.replaceChildren(drawReasons(reasons));
      if (asked.stands) announce(`${title} would choose: ${reasons.action}. ${reasons.explanation.summary}`);
    } catch (error) {
      answer.replaceChildren(make("p", { class: "bad" }, error.message));
    }
  }

  async #ask(question, type, fields, draw) {
    const asked = this.#panel.open(question, make("p", { class: "muted", role: "status" }, WAIT));
    try {
      const answer = await this.#connection.ask(type, fields);
      asked.fill(draw(answer, asked));
    } catch (error) {
      asked.fill(make("p", { class: "bad", role: "alert" }, error.message));
    }
  }
}
