/* A case base: filter its cases by attributes and actions, and browse them page by page. */

import { make } from "../page/elements.js";
import { answerOf } from "../page/session_data.js";
import { formatCell, formatCount } from "../words/numbers.js";
import { drawOutcome, drawRecipe, drawTrail, drawVotes, sayTaken } from "./parts.js";

const AT_ONCE = 25;
const PATIENCE = 250;

/** The address of a base, of one of its cases, and of its cases at the server. */
export const addressOf = (pack, base) => `#/explore/cases/${encodeURIComponent(pack)}/${encodeURIComponent(base)}`;
export const addressOfCase = (pack, base, number) =>
  `#/explore/case/${encodeURIComponent(pack)}/${encodeURIComponent(base)}/${number}`;
export const casesOf = (pack, base) =>
  `/api/explore/packs/${encodeURIComponent(pack)}/${encodeURIComponent(base)}/cases`;

/** Draw a base of a pack, by default the first. A last part such as `?filters=…` selects what is shown. */
export async function show(root, packId = "", ...rest) {
  const query = new URLSearchParams(rest.at(-1)?.startsWith("?") ? rest.pop() : "");
  const pack = await answerOf(`/api/explore/packs/${encodeURIComponent(packId)}`);
  const base = rest[0] ? pack.bases.find(({ name }) => name === rest[0]) : pack.bases[0];
  if (!base) throw new Error(`${pack.title} has no case base ${rest[0] ?? ""}.`);
  const browser = new Browser(pack, base, query);
  root.replaceChildren(
    drawTrail(["Explore", "#/explore"], [pack.title]),
    make(
      "header",
      { class: "explore-head" },
      make("h1", {}, `Cases of ${pack.title}`),
      make("p", { class: "muted" }, `Learnt for ${pack.system}. A case is one situation, the action taken in it, and its outcome.`),
      drawRecipe(pack.recipe),
    ),
    drawBases(pack, base),
    browser.element,
  );
  await browser.ask();
  return () => browser.end();
}

function drawBases(pack, current) {
  const links = pack.bases.map((base) =>
    make(
      "a",
      { href: addressOf(pack.id, base.name), "aria-current": base === current ? "page" : null },
      base.name,
      make("span", { class: "muted small-text" }, ` ${base.cases.toLocaleString("en")}`),
    ),
  );
  return make("nav", { class: "bases", "aria-label": "Case bases" }, links);
}

class Browser {
  #pack;
  #base;
  #filters;
  #solutions;
  #first;
  #turn = 0;
  #timer = null;

  constructor(pack, base, query) {
    this.#pack = pack;
    this.#base = base;
    this.#filters = parsed(query.get("filters"), {});
    this.#solutions = parsed(query.get("solutions"), []);
    this.#first = Number(query.get("first")) || 0;
    this.count = make("h2", { "aria-live": "polite" }, " ");
    this.message = make("p", { class: "bad", role: "alert" });
    this.votes = make("div", {});
    this.body = make("tbody", {});
    this.earlier = make("button", { type: "button", onclick: () => this.#turnTo(this.#first - AT_ONCE) }, "Previous");
    this.later = make("button", { type: "button", onclick: () => this.#turnTo(this.#first + AT_ONCE) }, "Next");
    this.where = make("span", { class: "muted number" });
    this.element = make(
      "div",
      { class: "case-browser" },
      this.#drawForm(),
      make(
        "section",
        { class: "stack case-results" },
        this.count,
        this.message,
        this.votes,
        this.#drawTable(),
        make("div", { class: "row pages" }, this.earlier, this.where, this.later),
      ),
    );
  }

  /** Request the current page. */
  async ask() {
    this.#turn += 1;
    const turn = this.#turn;
    const query = this.#query();
    try {
      const found = await answerOf(`${casesOf(this.#pack.id, this.#base.name)}?${query}&count=${AT_ONCE}`);
      if (turn === this.#turn) this.#draw(found);
    } catch (error) {
      if (turn === this.#turn) this.message.textContent = error.message;
    }
  }

  /** Stop drawing. */
  end() {
    clearTimeout(this.#timer);
    this.#turn += 1;
  }

  #query() {
    return new URLSearchParams({
      filters: JSON.stringify(this.#filters),
      solutions: JSON.stringify(this.#solutions),
      first: this.#first,
    });
  }

  /** Request the page soon, and keep the query in the address, so that it can be revisited. */
  #askSoon(wait) {
    const asked = Object.keys(this.#filters).length || this.#solutions.length || this.#first;
    const address = addressOf(this.#pack.id, this.#base.name);
    history.replaceState(null, "", asked ? `${address}?${this.#query()}` : address);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.ask(), wait);
  }

  #turnTo(first) {
    this.#first = Math.max(0, first);
    this.#askSoon(0);
  }

  #filter(name, wanted) {
    if (wanted === null) delete this.#filters[name];
    else this.#filters[name] = wanted;
    this.#first = 0;
    this.#askSoon(PATIENCE);
  }

  // The form

  #drawForm() {
    const clear = make("button", { type: "reset", class: "small" }, "Clear all");
    const form = make(
      "form",
      { class: "stack filter-fields", onsubmit: (event) => event.preventDefault(), onreset: () => this.#clear() },
      this.#drawSolutions(),
      this.#base.attributes.map((attribute) => (attribute.kind === "number" ? this.#drawNumber(attribute) : this.#drawSymbol(attribute))),
      make("div", { class: "row" }, clear),
    );
    const wide = matchMedia("(min-width: 60rem)").matches;
    return make("details", { class: "panel filters", open: wide }, make("summary", {}, make("h2", {}, "Filters")), form);
  }

  #clear() {
    this.#filters = {};
    this.#solutions = [];
    this.#first = 0;
    this.#askSoon(0);
  }

  #drawSolutions() {
    const boxes = this.#base.votes.map(({ solution, count }) =>
      this.#drawBox(solution, count, this.#solutions.includes(solution), (chosen) => {
        this.#solutions = chosen ? [...this.#solutions, solution] : this.#solutions.filter((each) => each !== solution);
        this.#first = 0;
        this.#askSoon(PATIENCE);
      }),
    );
    return make("fieldset", {}, make("legend", {}, "Action taken"), make("div", { class: "ticks" }, boxes));
  }

  #drawNumber({ name, whole, low, high }) {
    const [least, most] = this.#filters[name] ?? [null, null];
    const field = (value, words, bound) =>
      make("input", { type: "number", step: whole ? 1 : "any", value: value ?? "", placeholder: bound === null ? "" : formatCell(bound), "aria-label": `${name}, ${words}` });
    const from = field(least, "at least", low);
    const to = field(most, "at most", high);
    const follow = () => {
      const wanted = [from, to].map(({ value }) => (value === "" ? null : Number(value)));
      this.#filter(name, wanted.every((bound) => bound === null) ? null : wanted);
    };
    for (const input of [from, to]) input.addEventListener("input", follow);
    return make("fieldset", {}, make("legend", {}, name), make("div", { class: "between" }, from, make("span", { class: "muted" }, "to"), to));
  }

  #drawSymbol({ name, values }) {
    const boxes = values.map(({ value, title, cases }) =>
      this.#drawBox(title, cases, this.#filters[name]?.includes(value), (chosen) => {
        const others = (this.#filters[name] ?? []).filter((each) => each !== value);
        const wanted = chosen ? [...others, value] : others;
        this.#filter(name, wanted.length ? wanted : null);
      }),
    );
    return make("fieldset", {}, make("legend", {}, name), make("div", { class: "ticks many" }, boxes));
  }

  #drawBox(value, count, checked, choose) {
    const box = make("input", { type: "checkbox", checked, onchange: () => choose(box.checked) });
    return make("label", { class: "check small-text" }, box, value, make("span", { class: "muted number" }, count.toLocaleString("en")));
  }

  // The cases

  #drawTable() {
    const { attributes } = this.#base;
    const heading = attributes.map(({ name, kind }) => make("th", { scope: "col", class: kind === "number" ? "number" : null }, name));
    return make(
      "div",
      { class: "why-scroll cases-scroll", tabindex: "0", role: "region", "aria-label": "Cases" },
      make(
        "table",
        { class: "why-table cases" },
        make(
          "thead",
          {},
          make("tr", {}, make("th", { scope: "col" }, "case"), make("th", { scope: "col" }, "action"), make("th", { scope: "col", class: "number" }, "outcome"), heading),
        ),
        this.body,
      ),
    );
  }

  #draw({ count, first, cases, votes }) {
    this.message.textContent = "";
    this.count.textContent = count === this.#base.cases ? `All ${formatCount(count, "case")}` : `${formatCount(count, "case")} of ${this.#base.cases.toLocaleString("en")}`;
    this.votes.replaceChildren(drawVotes(votes));
    this.body.replaceChildren(...cases.map((each) => this.#drawRow(each)));
    this.earlier.disabled = first === 0;
    this.later.disabled = first + cases.length >= count;
    this.where.textContent = cases.length ? `${(first + 1).toLocaleString("en")}–${(first + cases.length).toLocaleString("en")}` : "none";
  }

  #drawRow({ number, description, taken }) {
    const cells = this.#base.attributes.map(({ name, kind, low, high }) => {
      const value = description[name];
      const share = kind === "number" && high > low ? (value - low) / (high - low) : null;
      return make("td", { class: kind === "symbol" ? null : share === null ? "number" : "number share faint", "--share": share === null ? null : `${100 * share}%` }, formatCell(value));
    });
    const link = make("a", { href: addressOfCase(this.#pack.id, this.#base.name, number), "aria-label": `case ${number}` }, String(number));
    return make("tr", {}, make("th", { scope: "row" }, link), make("td", {}, sayTaken(taken)), drawOutcome(taken), cells);
  }
}

function parsed(text, otherwise) {
  try {
    return text ? JSON.parse(text) : otherwise;
  } catch {
    return otherwise;
  }
}
