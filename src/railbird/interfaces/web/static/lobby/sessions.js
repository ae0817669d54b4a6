/* The person's sessions in the lobby: resume, review or permanently remove them. */

import { announce } from "../page/announce.js";
import { openDialog } from "../page/dialog.js";
import { make, unseen } from "../page/elements.js";
import { answerOf } from "../page/session_data.js";
import { colourOf } from "../words/amounts.js";
import { formatCount } from "../words/numbers.js";
import { formatUnits } from "../words/units.js";

const SHOWN = 8;
const SHOWN_ON_PHONES = 2;
/** Where the sessions stand above the form for a new table, as in lobby.css. */
export const narrow = window.matchMedia("(max-width: 60rem)");

/** The hand in progress that the person left last, above everything else; null if there is none. */
export function drawResume({ sessions, resume }) {
  const session = sessions.find(({ id }) => id === resume);
  if (!session) return null;
  return make(
    "section",
    { class: "panel resume", "aria-label": "Hand in progress" },
    make("p", {}, make("strong", {}, `Hand ${session.hand} is waiting for you`), make("br"), session.title),
    make("a", { class: "button primary big", href: `#/table/${session.id}` }, "Resume your hand"),
  );
}

/** The list, newest first; older sessions are shown on request. */
export function drawSessions(sessions) {
  const title = make("h2", { id: "sessions-title", tabindex: "-1" }, "Your sessions");
  const none = make(
    "p",
    { class: "muted", hidden: sessions.length > 0 },
    "Your sessions will appear here. You can resume them and review every hand.",
  );
  const list = make("ul", { class: "sessions", role: "list", hidden: !sessions.length });
  const shown = narrow.matches ? SHOWN_ON_PHONES : SHOWN;
  const rest = sessions.slice(shown);
  const drawOne = (session) => {
    const item = drawSession(session, () => {
      item.remove();
      list.hidden = !list.childElementCount;
      none.hidden = !list.hidden || more.isConnected;
      title.focus();
      announce(`Removed: ${wordsOf(session)}`);
    });
    return item;
  };
  const more = make(
    "button",
    {
      type: "button",
      class: "small",
      onclick: () => {
        const older = rest.map(drawOne);
        list.append(...older);
        list.hidden = false;
        more.remove();
        older[0].querySelector("a, button").focus();
      },
    },
    `Show ${rest.length} more`,
  );
  list.append(...sessions.slice(0, shown).map(drawOne));
  return make(
    "section",
    { class: "panel stack earlier-sessions", "aria-labelledby": "sessions-title" },
    title,
    none,
    list,
    rest.length ? more : null,
    make("p", { class: "more-links" }, make("a", { href: "#/tournament" }, "Tournaments between bots")),
  );
}

function drawSession(session, onRemoved) {
  const { id, title, hands, net, unit, watching, training, finished, own } = session;
  const about = () => unseen(` ${wordsOf(session)}`);
  const link = (page, words) => make("a", { class: "button small-button", href: `#/${page}/${id}` }, words, about());
  const remove = make(
    "button",
    { type: "button", class: "quiet small-button", onclick: () => askToRemove(session, onRemoved) },
    "Remove",
    about(),
  );
  return make(
    "li",
    { class: "session" },
    make("p", { class: "session-title" }, title),
    make(
      "p",
      { class: "muted small-text session-facts" },
      make("span", {}, whenOf(session)),
      make("span", { class: "number" }, formatCount(hands, "hand")),
      watching
        ? make("span", { class: "tag" }, "watched")
        : make("span", { class: `number ${colourOf(net)}` }, formatUnits(net, unit)),
      training ? make("span", { class: "ribbon" }, "training") : null,
    ),
    make(
      "p",
      { class: "row" },
      finished ? null : link("table", "Resume"),
      hands || training ? link("session", "Review") : null,
      own ? remove : null,
    ),
  );
}

function askToRemove(session, onRemoved) {
  const { id, hands, finished } = session;
  const message = make("p", { class: "bad", role: "alert" });
  const remove = async () => {
    confirm.disabled = true;
    message.textContent = "";
    try {
      await answerOf(`/api/sessions/${encodeURIComponent(id)}?remove=true`, null, "DELETE");
    } catch (error) {
      message.textContent = error.message;
      confirm.disabled = false;
      return;
    }
    dialog.close();
    onRemoved();
  };
  const confirm = make("button", { type: "button", class: "primary", onclick: remove }, "Remove");
  const keep = make("button", { type: "button", onclick: () => dialog.close() }, "Keep");
  const what = hands ? `The session and its ${formatCount(hands, "hand")}` : "The session";
  const dialog = openDialog(
    "Remove this session?",
    make(
      "div",
      { class: "stack" },
      make("p", { class: "session-title" }, wordsOf(session)),
      make("p", {}, `${finished ? "" : "It is not finished. "}${what} will be permanently removed. This cannot be undone.`),
      message,
      make("div", { class: "row" }, confirm, keep),
    ),
  );
  keep.focus();
}

function wordsOf(session) {
  return `${session.title}, ${whenOf(session)}`;
}

function whenOf({ started }) {
  const time = new Date(started);
  if (Number.isNaN(time.getTime())) return started;
  return time.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}
