/* The page of an invitation: who sits at the table, and a seat for whoever chooses a name. */

import { make } from "../page/elements.js";
import { remember, remembered } from "../page/preferences.js";
import { answerOf } from "../page/session_data.js";

/** Show the invitation with this token; whoever already has a seat goes to it. */
export async function show(root, token) {
  const address = `/api/invitations/${encodeURIComponent(token)}`;
  const invitation = await answerOf(address);
  if (invitation.session) {
    location.replace(`#/table/${invitation.session}`);
    return;
  }
  root.replaceChildren(drawInvitation(address, invitation));
}

function drawInvitation(address, { title, host, players, free, clock, name }) {
  const known = remembered("name", "You");
  const field = make("input", {
    id: "guest-name",
    value: name || (known === "You" ? "" : known),
    readonly: Boolean(name),
    maxlength: 24,
    autocomplete: "nickname",
    required: true,
  });
  const message = make("p", { class: "bad", role: "alert" });
  const begin = make("button", { type: "submit", class: "primary big", disabled: !free }, "Take a seat");
  const submit = async (event) => {
    event.preventDefault();
    begin.disabled = true;
    message.textContent = "";
    try {
      const { id } = await answerOf(address, { name: field.value.trim() });
      if (!name) remember("name", field.value.trim());
      location.hash = `#/table/${id}`;
    } catch (error) {
      message.textContent = error.message;
      begin.disabled = false;
    }
  };
  return make(
    "form",
    { class: "panel stack invitation", onsubmit: submit },
    make("h1", { tabindex: "-1" }, `${host} invites you to play`),
    make("p", {}, title),
    make("p", {}, `At the table: ${players.join(", ")}. ${seatWords(free)}`),
    make("p", { class: "muted" }, clock ? `You have ${clock} seconds for each decision.` : "Decisions have no time limit."),
    make("div", { class: "field" }, make("label", { for: "guest-name" }, "Your name at the table"), field),
    message,
    make("div", { class: "row" }, begin),
  );
}

function seatWords(free) {
  if (!free) return "No seat is free at the moment.";
  return free === 1 ? "One seat is free." : `${free} seats are free.`;
}
