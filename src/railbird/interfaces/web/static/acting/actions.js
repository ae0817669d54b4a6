/* The bar below the table: the person's actions now, and choices before the turn. */

import { announce, urge } from "../page/announce.js";
import { make } from "../page/elements.js";
import { callWords, raiseWords } from "../words/action_words.js";
import { formatAmount } from "../words/amounts.js";
import { AmountField } from "./amount_field.js";
import { keyOf } from "./keys.js";
import { Preselection, choicesOf } from "./preselection.js";

/** A key pressed twice by mistake must not also choose the next action. */
const CALM = 350;

export class ActionBar {
  #connection;
  #view = null;
  #drawn = "";
  #amount = null;
  #preselection = new Preselection();
  #sent = "";
  #sentAt = 0;
  #dealAt = null;
  #countdown = make("p", { class: "countdown muted small-text" });
  #timer = null;

  constructor(connection) {
    this.#connection = connection;
    this.buttons = make("div", { class: "action-buttons" });
    this.message = make("p", { class: "action-message", role: "status" });
    this.element = make(
      "section",
      { class: "actions", "aria-label": "Your actions", tabindex: "-1" },
      this.message,
      this.buttons,
    );
  }

  /** Offer the actions of this view, or perform a choice made before the turn. */
  show(view) {
    if (this.#view && (view.hand !== this.#view.hand || view.step !== this.#view.step)) this.#say("");
    this.#view = view;
    if (this.#preselection.follow(view)) this.#sayDropped();
    else if (view.actions && this.#preselection.kind !== null) this.#takeChoice(view.actions);
    const situation = this.#situation();
    if (situation !== this.#drawn) this.#draw(situation);
    this.#dealAt = view.countdown === null ? null : performance.now() + view.countdown;
    this.#count();
  }

  /** Count the seconds to the next hand. */
  #count() {
    clearTimeout(this.#timer);
    const { auto_deal: auto, held, phase, paused } = this.#view;
    if (this.#dealAt === null) {
      const words = held ? "The next hand waits while an explanation is open." : "The next hand is dealt automatically.";
      this.#countdown.textContent = auto && phase === "over" && !paused ? words : "";
    } else if (this.element.isConnected) {
      const left = Math.max(0, this.#dealAt - performance.now());
      this.#countdown.textContent = `Next hand in ${Math.ceil(left / 1000)} s`;
      if (left) this.#timer = setTimeout(() => this.#count(), left % 1000 || 1000);
    }
  }

  /** Redraw the buttons after their keys have changed. */
  redraw() {
    if (this.#view) this.#draw(this.#situation());
  }

  /** A key for fold, call, raise or call any: done at the turn, chosen before it. */
  press(kind) {
    const view = this.#view;
    if (!view) return;
    if (view.actions) {
      if (kind === "fold" && view.actions.fold) this.#act("fold");
      else if (kind === "call" || kind === "call any") this.#act("call");
      else if (kind === "raise") this.#pressRaise();
    } else if (this.#mode() === "wait" && Date.now() - this.#sentAt > CALM) {
      this.#choose(kind);
    }
  }

  /** A digit starts an amount, if one can be chosen. */
  type(digit) {
    this.#amount?.type(digit);
    return this.#amount !== null;
  }

  /** Ask for the next hand, if it can be dealt now. */
  deal() {
    if (this.#mode() === "between") this.#ask("deal");
  }

  /** Fast-forward to the end of the hand. */
  forward() {
    if (["folded", "watch", "all-in", "ending"].includes(this.#mode())) this.#ask("forward");
  }

  #mode() {
    const { phase, watching, actions, chairs, to_act: actor } = this.#view;
    if (phase === "closed") return "closed";
    if (phase !== "playing") return "between";
    if (watching) return "watch";
    const own = chairs.find((chair) => chair.you) ?? { state: "out" };
    if (own.state === "folded" || own.state === "out") return "folded";
    if (actor === null) return "ending";
    if (own.state === "all-in") return "all-in";
    return actions ? "turn" : "wait";
  }

  /** Views with the same situation have the same buttons. */
  #situation() {
    const { hand, step, actions, auto_deal: auto, forwarding, phase, paused, together } = this.#view;
    const mode = this.#mode();
    if (mode === "turn") return JSON.stringify([mode, hand, step, actions]);
    if (mode === "wait") return JSON.stringify([mode, hand, choicesOf(this.#view), this.#preselection.kind]);
    return JSON.stringify([mode, auto, forwarding, phase, paused, together?.can_deal]);
  }

  #draw(situation) {
    const focused = this.element.contains(document.activeElement) ? document.activeElement : null;
    this.#drawn = situation;
    this.#amount = null;
    const mode = this.#mode();
    this.element.dataset.mode = mode;
    this.element.dataset.betting = this.#view.betting;
    this.buttons.replaceChildren(...this.#buttonsFor(mode).filter(Boolean));
    if (focused && !focused.isConnected) {
      const same = this.buttons.querySelector(`[data-name="${focused.dataset.name}"]`);
      (same ?? this.element).focus({ preventScroll: true });
    }
  }

  #buttonsFor(mode) {
    switch (mode) {
      case "turn":
        return this.#turnButtons();
      case "wait":
        return this.#choiceButtons();
      case "folded":
      case "watch":
      case "ending":
        return [this.#forwardButton()];
      case "all-in":
        return [make("p", { class: "muted" }, "You are all-in: no more decisions in this hand."), this.#forwardButton()];
      case "between":
        return this.#dealButtons();
      default:
        return [
          make("p", {}, "This session is over."),
          make(
            "div",
            { class: "choices" },
            make("a", { class: "button primary", href: `#/session/${this.#view.session}` }, "Review"),
            make("a", { class: "button", href: "#/" }, "Lobby"),
          ),
        ];
    }
  }

  #turnButtons() {
    const { fold, call, raise } = this.#view.actions;
    const { stack } = this.#view.chairs.find((chair) => chair.you);
    const buttons = [
      fold ? button("fold", "Fold", "fold", () => this.#act("fold")) : null,
      button("call", callWords(call, stack), "call", () => this.#act("call")),
    ];
    if (raise) {
      const raiseButton = button("raise", raiseWords(raise, raise.least), "raise", () => this.#raise());
      buttons.push(raiseButton);
      if (raise.least < raise.most) {
        this.#amount = new AmountField(raise, this.#view.round, () => {
          const to = this.#amount.value;
          raiseButton.disabled = to === null;
          raiseButton.firstChild.data = raiseWords(raise, to);
        });
      }
    }
    const group = make("div", { class: "choices turn", role: "group", "aria-label": "Your turn" }, buttons);
    if (!this.#amount) return [group];
    const confirm = (event) => {
      event.preventDefault();
      this.#raise();
    };
    const hear = (event) => {
      if (event.key === "Escape" && this.#amount.hasFocus) this.element.focus({ preventScroll: true });
      // Enter in a number field submits by itself; on a slider, not in every browser.
      else if (event.key === "Enter" && event.target === this.#amount.slider) confirm(event);
    };
    const attributes = { class: "amount-form", novalidate: true, onsubmit: confirm, onkeydown: hear };
    return [make("form", attributes, this.#amount.element), group];
  }

  #choiceButtons() {
    const buttons = choicesOf(this.#view).map(({ kind, words }) => {
      const choice = button(`choose ${kind}`, words, kind, () => this.#choose(kind));
      choice.setAttribute("aria-pressed", this.#preselection.kind === kind);
      return choice;
    });
    return [make("div", { class: "choices early", role: "group", "aria-label": "Choose before your turn" }, buttons)];
  }

  /** Where several people play, nobody skips the end of a hand for all of them. */
  #forwardButton() {
    if (this.#view.together) return null;
    const words = this.#view.forwarding ? "Fast-forwarding …" : "Fast-forward";
    return button("forward", words, "forward", () => this.forward());
  }

  #dealButtons() {
    const { phase, paused, together } = this.#view;
    const note = (text) => make("p", { class: "muted" }, text);
    if (together && !together.can_deal) return [note("Waiting for another player …")];
    if (together && !together.host) {
      return [phase === "ready" ? note("The host deals the first hand.") : null, this.#countdown];
    }
    const words = paused ? "Continue and deal" : phase === "ready" ? "Deal the first hand" : "Deal the next hand";
    const dealButton = button("deal", words, "deal", () => this.deal());
    dealButton.classList.add("primary");
    return [dealButton, this.#countdown];
  }

  #choose(kind) {
    this.#preselection.toggle(kind, this.#view);
    const { kind: chosen, words } = this.#preselection;
    announce(chosen ? `Chosen before your turn: ${words}` : "Choice cleared");
    this.#draw(this.#situation());
  }

  #takeChoice(actions) {
    const { action, to } = this.#preselection.take(actions) ?? {};
    if (action) this.#act(action, to);
    else this.#say(`Your choice “${this.#preselection.words}” is not possible now.`);
  }

  #sayDropped() {
    this.#say(`Your choice “${this.#preselection.words}” was cancelled: the bet or street has changed.`);
  }

  #pressRaise() {
    if (this.#amount && !this.#amount.hasFocus) {
      this.#amount.number.focus();
      this.#amount.number.select();
    } else {
      this.#raise();
    }
  }

  #raise() {
    const { raise } = this.#view.actions ?? {};
    if (!raise) return;
    const to = this.#amount ? this.#amount.value : raise.least;
    if (to === null) this.#say(`Enter an amount from ${formatAmount(raise.least)} to ${formatAmount(raise.most)}.`);
    else this.#act("raise", to);
  }

  #act(action, to) {
    const { hand, step } = this.#view;
    const now = `${hand} ${step}`;
    if (this.#sent === now) return;
    this.#sent = now;
    this.#sentAt = Date.now();
    this.#ask("act", { hand, step, action, ...(to === undefined ? {} : { to }) }).then((done) => {
      if (!done) this.#sent = "";
    });
  }

  async #ask(type, fields) {
    try {
      await this.#connection.ask(type, fields);
      return true;
    } catch (error) {
      this.#say(error.message);
      urge(error.message);
      return false;
    }
  }

  #say(text) {
    this.message.textContent = text;
  }
}

function button(name, words, key, onclick) {
  const hint = keyOf(key);
  return make(
    "button",
    { type: "button", "data-name": name, class: `action ${name.replaceAll(" ", "-")}`, onclick },
    words,
    hint ? make("kbd", { "aria-hidden": "true" }, hint) : null,
  );
}
