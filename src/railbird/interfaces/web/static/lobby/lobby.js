/* The lobby: choose a game and opponents, sit down or watch, and return to earlier sessions. */

import { Ratings } from "../bots/ratings.js";
import { drawTourOffer } from "../help/tour.js";
import { make } from "../page/elements.js";
import { remember, remembered } from "../page/preferences.js";
import { answerOf } from "../page/session_data.js";
import { Opponents } from "./opponents.js";
import { Recommended } from "./recommended.js";
import { drawResume, drawSessions, narrow } from "./sessions.js";
import { Sharing } from "./sharing.js";

/** Show the lobby; a part such as `?opponent=casper02` seats that agent. */
export async function show(root, ...parts) {
  const lobby = await answerOf("/api/lobby");
  const query = new URLSearchParams(parts.find((part) => part.startsWith("?")) ?? "");
  const form = new NewTable(lobby, query.get("opponent"));
  const sessions = drawSessions(lobby.sessions);
  root.replaceChildren(
    make(
      "div",
      { class: "lobby" },
      drawResume(lobby),
      make(
        "header",
        { class: "lobby-head" },
        make("h1", { tabindex: "-1" }, "Take a seat"),
        make("p", { class: "muted" }, "Hold’em against bots that learn by watching and explain their actions."),
        drawTourOffer(),
      ),
      narrow.matches && lobby.sessions.length ? [sessions, form.element] : [form.element, sessions],
    ),
  );
}

/** The game to offer first: the usual one, or one that a chosen opponent plays with any number of seats. */
function usualGame({ games, agents, usual }, opponent) {
  const first = games.find(({ id }) => id === usual.game) ?? games[0];
  const plays = agents.find(({ name }) => name === opponent)?.plays;
  const suits = ({ game }) => Object.values(game).every((name) => plays.includes(name));
  return (plays && [first, ...games].find(suits)) || first;
}

class NewTable {
  constructor(lobby, opponent) {
    this.lobby = lobby;
    const { usual } = lobby;
    this.game = usualGame(lobby, opponent);
    this.seats = usual.seats;
    const ratings = new Ratings(lobby.ratings);
    this.opponents = new Opponents(lobby.agents, usual.opponents, ratings);
    this.recommended = new Recommended(ratings, (opponents) => this.#begin(opponents));
    this.seatChoice = make("div", { class: "segments" });
    this.stakes = make("select", { id: "stakes" });
    this.speed = make(
      "select",
      { id: "speed" },
      lobby.speeds.map(({ id, title }) => make("option", { value: id, selected: id === "normal" }, title)),
    );
    this.name = make(
      "input",
      { id: "player-name", value: remembered("name", "You"), maxlength: 24, autocomplete: "nickname", required: true },
    );
    this.sharing = new Sharing(() => this.#followSeats());
    this.message = make("p", { class: "bad", role: "alert" });
    this.begin = make("button", { type: "submit", class: "primary big" }, "Play");
    this.element = make(
      "form",
      { class: "panel new-table", onsubmit: (event) => this.#submit(event) },
      this.#drawGames(),
      this.recommended.element,
      make(
        "div",
        { class: "settings" },
        make("fieldset", { class: "field" }, make("legend", {}, "Players at the table"), this.seatChoice),
        field("Stakes", "stakes", this.stakes),
        field("Bot speed", "speed", this.speed),
        field("Your name", "player-name", this.name),
        this.#drawRole(),
        this.sharing.element,
        this.#drawTraining(),
      ),
      this.opponents.element,
      make("div", { class: "begin" }, this.message, this.begin),
    );
    this.#followGame();
    if (opponent) this.opponents.seatFirst(opponent);
  }

  get #chosenRole() {
    return this.role.querySelector(":checked").value;
  }

  get watching() {
    return this.#chosenRole === "watch";
  }

  get inviting() {
    return this.#chosenRole === "invite";
  }

  get #verb() {
    return { play: "Play", invite: "Open the table", watch: "Watch" }[this.#chosenRole];
  }

  /** The number of seats for people. */
  get #people() {
    return this.inviting ? this.sharing.seats : this.watching ? 0 : 1;
  }

  #drawGames() {
    const games = this.lobby.games.map((game) =>
      make(
        "label",
        { class: "game" },
        make("input", {
          type: "radio",
          name: "game",
          value: game.id,
          checked: game === this.game,
          onchange: () => {
            this.game = game;
            this.#followGame();
          },
        }),
        make("span", { class: "game-title" }, game.title),
        make("span", { class: "muted small-text" }, game.about),
      ),
    );
    return make(
      "fieldset",
      { class: "games-choice" },
      make("legend", {}, "Game"),
      make("div", { class: "games" }, games),
    );
  }

  #drawRole() {
    const choice = (value, words) =>
      make(
        "label",
        { class: "check" },
        make(
          "input",
          { type: "radio", name: "role", value, checked: value === "play", onchange: () => this.#followRole() },
        ),
        words,
      );
    this.role = make(
      "fieldset",
      { class: "stack role" },
      make("legend", {}, "Your role"),
      choice("play", "Play"),
      this.lobby.invites ? choice("invite", "Invite people") : null,
      choice("watch", "Watch bots play"),
    );
    return this.role;
  }

  #drawTraining() {
    this.training = make("input", { type: "checkbox", onchange: () => this.#followTraining() });
    this.faceUp = make("input", { type: "checkbox", checked: true });
    this.hands = make(
      "input",
      {
        id: "training-hands",
        type: "text",
        placeholder: "all hands",
        spellcheck: "false",
        autocomplete: "off",
        maxlength: 400,
        "aria-describedby": "training-hint",
      },
    );
    this.trainingFields = make(
      "div",
      { class: "stack training-fields", hidden: true },
      make("label", { class: "check" }, this.faceUp, "All cards face up"),
      field("Deal me only these starting hands", "training-hands", this.hands),
      make(
        "p",
        { id: "training-hint", class: "muted small-text" },
        "For example TT+, AQs+, KJo. Reasons are shown immediately.",
      ),
    );
    this.trainingBox = make(
      "fieldset",
      { class: "stack" },
      make("legend", {}, "Training"),
      make("label", { class: "check" }, this.training, "Training: results do not count"),
      this.trainingFields,
    );
    return this.trainingBox;
  }

  #followGame() {
    const { seats, stakes } = this.game;
    this.seats = [this.seats, this.lobby.usual.seats].find((count) => seats.includes(count)) ?? seats[0];
    const choices = seats.map((count) =>
      make(
        "label",
        { class: "segment" },
        make("input", {
          type: "radio",
          name: "seats",
          value: count,
          checked: count === this.seats,
          onchange: () => {
            this.seats = count;
            this.#followSeats();
          },
        }),
        make("span", {}, String(count)),
      ),
    );
    this.seatChoice.replaceChildren(...choices);
    this.stakes.replaceChildren(...stakes.map(({ title, parameters }) => make("option", { value: parameters }, title)));
    this.#followSeats();
  }

  #followSeats() {
    const game = this.game.game[String(this.seats)];
    if (this.inviting) this.sharing.follow(this.seats);
    const count = this.seats - this.#people;
    this.opponents.follow(this.game.id, game, count);
    this.recommended.follow(game, count, this.#verb);
  }

  #followRole() {
    this.begin.textContent = this.#verb;
    this.trainingBox.hidden = this.watching || this.inviting;
    this.sharing.element.hidden = !this.inviting;
    this.name.parentElement.hidden = this.watching;
    this.#followSeats();
  }

  #followTraining() {
    this.trainingFields.hidden = !this.training.checked;
  }

  #wanted(opponents) {
    const parameters = this.stakes.value;
    const game = this.game.game[String(this.seats)];
    const training = this.training.checked && !this.watching && !this.inviting;
    return {
      game: parameters ? `${game}:${parameters}` : game,
      opponents,
      name: this.name.value.trim() || "You",
      speed: this.speed.value,
      watch: this.watching,
      training: training ? { face_up: this.faceUp.checked, hands: this.hands.value.trim() } : null,
      sharing: this.inviting ? this.sharing.choices(this.opponents.usual) : null,
    };
  }

  #submit(event) {
    event.preventDefault();
    return this.#begin(this.opponents.specs);
  }

  async #begin(opponents) {
    if (this.begin.disabled) return;
    this.begin.disabled = true;
    this.message.textContent = "";
    try {
      const wanted = this.#wanted(opponents);
      remember("name", wanted.name);
      const { id } = await answerOf("/api/sessions", wanted);
      location.hash = `#/table/${id}`;
    } catch (error) {
      this.message.textContent = error.message;
      this.begin.disabled = false;
    }
  }
}

function field(words, id, control) {
  return make("div", { class: "field" }, make("label", { for: id }, words), control);
}
