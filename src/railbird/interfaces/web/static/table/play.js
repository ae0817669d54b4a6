/* The page of a table, to play or to watch. It draws the newest view and asks the server for everything else. */

import { ActionBar } from "../acting/actions.js";
import { hearKeys, keyOf } from "../acting/keys.js";
import { Announcer, announce, hush, saySituation, urge } from "../page/announce.js";
import { make, morph } from "../page/elements.js";
import { answerOf } from "../page/session_data.js";
import { colourOf } from "../words/amounts.js";
import { formatCount } from "../words/numbers.js";
import { formatUnits } from "../words/units.js";
import { Connection } from "./connection.js";
import { History } from "./history.js";
import { openKeys, openOptions } from "./options.js";
import { Questions } from "./questions.js";
import { SidePanel } from "./side_panel.js";
import { Sounds } from "./sounds.js";
import { drawTable, redrawTable } from "./table.js";
import { Together } from "./together.js";

/** Show the table of a session until the returned function is called. */
export async function show(root, id) {
  const address = `/api/sessions/${encodeURIComponent(id)}`;
  const session = await answerOf(address);
  const page = new TablePage(root, session, `${address}/table`);
  return () => page.leave();
}

class TablePage {
  #view = null;
  #announcer = new Announcer();
  #sounds = new Sounds();
  #held = false;

  constructor(root, session, path) {
    this.connection = new Connection(path, {
      onView: (view) => this.#show(view),
      onState: (state, why) => this.#tellLine(state, why),
    });
    this.panel = new SidePanel((held) => this.#hold(held));
    this.questions = new Questions(this.connection, this.panel, session.game);
    this.history = new History(session.id, (hand, step) => this.questions.why(hand, step));
    this.bar = new ActionBar(this.connection);
    this.together = new Together((type, fields) => this.#ask(type, fields));
    this.table = make("div", { class: "table" });
    this.head = make("div", { class: "play-facts" });
    this.notice = make("p", { class: "note", role: "status", hidden: true });
    this.tools = this.#makeTools();
    document.body.classList.add("at-table");
    // On narrow screens the panel is a drawer that ends above the actions.
    this.barSize = new ResizeObserver(() => root.style.setProperty("--actions", `${this.bar.element.offsetHeight}px`));
    this.barSize.observe(this.bar.element);
    root.replaceChildren(
      make(
        "div",
        { class: "play" },
        make(
          "header",
          { class: "play-head" },
          make("h1", { tabindex: "-1" }, session.title),
          this.head,
          this.tools,
          this.together.element,
        ),
        make("section", { class: "felt", "aria-label": "Table" }, this.notice, this.table),
        this.bar.element,
        this.history.element,
        this.panel.element,
      ),
    );
    this.stopKeys = hearKeys({ onCommand: (name) => this.#command(name), onDigit: (digit) => this.bar.type(digit) });
  }

  /** Stop listening and asking. */
  leave() {
    this.connection.close();
    this.stopKeys();
    this.barSize.disconnect();
    this.together.end();
    hush();
    document.body.classList.remove("at-table");
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  }

  #makeTools() {
    const tool = (name, words, does) =>
      make(
        "button",
        {
          type: "button",
          class: "tool",
          "data-tool": name,
          title: keyOf(name) ? `Key: ${keyOf(name)}` : null,
          onclick: does,
        },
        words,
      );
    return make(
      "div",
      { class: "tools", role: "group", "aria-label": "Table tools" },
      tool("pause", "Pause", () => this.#command("pause")),
      tool("why", "Why?", () => this.#command("why")),
      tool("advisor", "Advisor", () => this.#command("advisor")),
      tool("strength", "Strength", () => this.#command("strength")),
      tool("options", "Options", () => this.#options()),
      tool("help", "Keys", () => this.#command("help")),
    );
  }

  #show(view) {
    const first = this.#view === null;
    this.#view = view;
    this.#announcer.hear(view);
    this.#sounds.hear(view);
    if (first) {
      const table = drawTable(view);
      this.table.replaceWith(table);
      this.table = table;
    } else {
      redrawTable(this.table, view);
    }
    this.bar.show(view);
    this.history.show(view);
    this.panel.show(view);
    this.together.show(view);
    document.title = view.actions ? "Your turn · Railbird" : "Table · Railbird";
    this.#showHead(view);
  }

  #showHead(view) {
    const facts = [
      view.training ? make("span", { class: "ribbon" }, "training: does not count") : null,
      view.watching ? make("span", { class: "tag" }, "watching") : null,
      view.watching
        ? null
        : make(
          "span",
          { class: "net" },
          "Net ",
          make("strong", { class: `number ${colourOf(view.net)}` }, formatUnits(view.net, view.unit)),
        ),
      make("span", { class: "hands-played number" }, formatCount(view.hands, "hand")),
    ];
    morph(this.head, make("div", { class: "play-facts" }, facts));
    const pause = this.#tool("pause");
    pause.textContent = view.paused ? "Continue" : "Pause";
    pause.hidden = view.together !== null && !view.together.host;
    this.#tool("strength").hidden = !this.#mayAsk;
    this.#tool("advisor").hidden = !this.#mayAsk;
    this.notice.textContent = view.notice ?? "";
    this.notice.hidden = !view.notice;
  }

  /** Whether one may ask for advice: not at a table of several people, unless its host allows it. */
  get #mayAsk() {
    const { watching, together } = this.#view;
    return !watching && (together === null || together.advice);
  }

  #tool(name) {
    return this.tools.querySelector(`[data-tool="${name}"]`);
  }

  #command(name) {
    if (!this.#view) return;
    switch (name) {
      case "deal":
        return this.bar.deal();
      case "pause":
        return this.#ask(this.#view.paused ? "continue" : "pause");
      case "forward":
        return this.bar.forward();
      case "why":
        return this.#why();
      case "advisor":
        return this.#mayAsk ? this.questions.advisor(() => this.#view) : undefined;
      case "strength":
        return this.#mayAsk ? this.questions.strength(this.#view) : undefined;
      case "situation":
        return announce(saySituation(this.#view));
      case "help":
        return openKeys(() => this.#keysChanged());
      default:
        return this.bar.press(name);
    }
  }

  #why() {
    const { latest } = this.history;
    if (latest) return this.questions.why(latest.hand, latest.step);
    const words = this.#view.training
      ? "No action can be explained yet."
      : "Reasons are available when the hand is over: each action of a bot in the history then has a “Why?” button.";
    return this.panel.open({ title: "Why?" }, make("p", {}, words));
  }

  /** Let the next hand wait while somebody reads. */
  #hold(held) {
    this.#held = held;
    // A table may refuse to wait, and a lost connection holds nothing: there is nothing to say then.
    this.connection.ask("hold", { held }).catch(() => {});
  }

  #options() {
    if (!this.#view) return;
    openOptions(this.#view, {
      ask: (type, fields) => this.#ask(type, fields),
      onKeys: () => this.#keysChanged(),
      onPresets: () => this.bar.redraw(),
      onUnit: () => this.#showHead(this.#view),
      onStatistics: () => redrawTable(this.table, this.#view),
    });
  }

  #keysChanged() {
    const fresh = this.#makeTools();
    this.tools.replaceWith(fresh);
    this.tools = fresh;
    this.#showHead(this.#view);
    this.bar.redraw();
  }

  async #ask(type, fields) {
    try {
      await this.connection.ask(type, fields);
      return true;
    } catch (error) {
      this.#tell(error.message);
      return false;
    }
  }

  #tell(text) {
    // A repeated message, such as that the connection is still lost, is announced once.
    if (text && text !== this.notice.textContent) urge(text);
    this.notice.textContent = text;
    this.notice.hidden = !text;
  }

  #tellLine(state, why) {
    if (state === "open" && this.#held) this.#hold(true);
    const sentence = why.charAt(0).toUpperCase() + why.slice(1).replace(/\.$/, "");
    if (state === "gone") {
      this.#tell(`${sentence || "There is no such table"}. `);
      this.notice.append(make("a", { href: "#/" }, "Back to the lobby"));
    } else {
      this.#tell(state === "lost" ? `${sentence || "Connection lost"}; reconnecting …` : "");
    }
  }
}
