/* A Bayesian network in the style of GeNIe: boxes with a bar for every state, arrows from causes to effects. */

import { announce } from "../page/announce.js";
import { draw, make } from "../page/elements.js";
import { answerOf } from "../page/session_data.js";
import { formatCount, formatFixed } from "../words/numbers.js";
import { drawRecipe, drawTrail } from "./parts.js";

const ZOOMS = [0.35, 0.5, 0.65, 0.8, 1, 1.25];
const READABLE = 0.8;
const MARGIN = 12;

/** Draw a network; a last part such as `?evidence=…` sets evidence. */
export async function show(root, id = "", query = "") {
  const address = `/api/explore/networks/${encodeURIComponent(id)}`;
  const network = await answerOf(address);
  const page = new NetworkPage(address, network, evidenceIn(query, network));
  root.replaceChildren(page.element);
  await page.ask();
  page.fit();
}

function evidenceIn(query, network) {
  const text = new URLSearchParams(query).get("evidence");
  if (!text) return {};
  try {
    const states = Object.fromEntries(network.variables.map(({ name, states: all }) => [name, all]));
    const known = Object.entries(JSON.parse(text)).filter(([name, state]) => states[name]?.some((each) => each.name === state));
    return Object.fromEntries(known);
  } catch {
    return {};
  }
}

class NetworkPage {
  #address;
  #network;
  #evidence;
  #boxes = new Map();
  #turn = 0;
  #zoom = 1;

  constructor(address, network, evidence) {
    this.#address = address;
    this.#network = network;
    this.#evidence = evidence;
    this.known = make("p", { class: "known" });
    this.message = make("p", { class: "bad", role: "alert" });
    this.clear = make("button", { type: "button", onclick: () => this.#set({}) }, "Clear all evidence");
    this.smaller = make("button", { type: "button", "aria-label": "Zoom out", onclick: () => this.#zoomBy(-1) }, "−");
    this.larger = make("button", { type: "button", "aria-label": "Zoom in", onclick: () => this.#zoomBy(1) }, "+");
    this.sheet = this.#drawSheet();
    this.view = make("div", { class: "network-view", tabindex: "0", role: "region", "aria-label": `The network ${network.title}` }, this.sheet);
    this.element = make(
      "div",
      { class: "network-page" },
      drawTrail(["Explore", "#/explore"], [network.title]),
      make(
        "header",
        { class: "explore-head" },
        make("h1", {}, `The network ${network.title}`),
        make(
          "p",
          { class: "muted" },
          `${formatCount(network.variables.length, "variable")}, ${formatCount(network.arcs.length, "arc")}, ${network.probabilities.toLocaleString("en")} probabilities. `,
          "Select a state to set it as evidence; select it again to clear it. Probabilities are exact.",
        ),
        drawRecipe(network.recipe),
      ),
      make("div", { class: "row network-tools" }, this.clear, make("span", { class: "row zoom" }, this.smaller, this.larger), this.known),
      this.message,
      this.view,
    );
  }

  /** Request the posteriors, and draw them. */
  async ask() {
    this.#turn += 1;
    const turn = this.#turn;
    const evidence = JSON.stringify(this.#evidence);
    this.#tellKnown();
    try {
      const posteriors = await answerOf(`${this.#address}/posteriors?${new URLSearchParams({ evidence })}`);
      if (turn !== this.#turn) return;
      this.message.textContent = "";
      this.#draw(posteriors);
    } catch (error) {
      if (turn === this.#turn) this.message.textContent = error.message;
    }
  }

  /** As large as fits, but still readable. */
  fit() {
    const wanted = this.view.clientWidth / (this.#network.width + 2 * MARGIN);
    this.#setZoom(Math.max(READABLE, Math.min(1, wanted)));
  }

  #set(evidence) {
    this.#evidence = evidence;
    const name = `#/explore/networks/${encodeURIComponent(this.#network.id)}`;
    const known = Object.keys(evidence).length ? `?${new URLSearchParams({ evidence: JSON.stringify(evidence) })}` : "";
    history.replaceState(null, "", name + known);
    this.ask();
  }

  #choose(name, state) {
    const { [name]: before, ...others } = this.#evidence;
    const taken = before === state;
    announce(taken ? `Evidence cleared: ${this.#title(name)}.` : `Evidence set: ${this.#words(name, state)}.`);
    this.#set(taken ? others : { ...others, [name]: state });
  }

  #variable(name) {
    return this.#network.variables.find((each) => each.name === name);
  }

  #title(name) {
    return this.#variable(name).title;
  }

  /** A state of a variable in words. */
  #words(name, state) {
    const { title, states } = this.#variable(name);
    return `${title}: ${states.find((each) => each.name === state).title}`;
  }

  #tellKnown() {
    const known = Object.entries(this.#evidence);
    this.clear.disabled = !known.length;
    const tags = known.map(([name, state]) =>
      make("button", { type: "button", class: "small", "aria-label": `Clear evidence: ${this.#words(name, state)}`, onclick: () => this.#choose(name, state) }, `${this.#words(name, state)} ×`),
    );
    this.known.replaceChildren(...(tags.length ? tags : [make("span", { class: "muted" }, "No evidence is set.")]));
  }

  #draw(posteriors) {
    for (const [name, states] of this.#boxes) {
      const known = this.#evidence[name];
      states.box.classList.toggle("known", known !== undefined);
      states.buttons.forEach((button, place) => {
        const share = posteriors[name][place];
        button.setAttribute("aria-pressed", String(button.dataset.state === known));
        button.style.setProperty("--share", `${100 * share}%`);
        button.querySelector(".share-text").textContent = percent(share);
      });
    }
  }

  // The sheet

  #drawSheet() {
    const { width, height, variables, arcs } = this.#network;
    const picture = draw(
      "svg",
      { class: "arcs", "aria-hidden": "true", viewBox: `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}` },
      draw("defs", {}, draw("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" }, draw("path", { d: "M0 0.8 L8 4 L0 7.2 z" }))),
      arcs.map(({ points, parent, child }) => draw("path", { class: "arc", d: courseOf(points), "marker-end": "url(#arrow)", "data-parent": parent, "data-child": child })),
    );
    return make(
      "div",
      { class: "network-sheet", "--sheet-width": `${width + 2 * MARGIN}px`, "--sheet-height": `${height + 2 * MARGIN}px` },
      picture,
      variables.map((variable) => this.#drawBox(variable)),
    );
  }

  #drawBox({ name, title, states, parents, left, top, width, height }) {
    const given = parents.length ? `given ${parents.map((parent) => this.#title(parent)).join(", ")}` : "";
    const buttons = states.map(({ name: state, title: words }) =>
      make(
        "button",
        { type: "button", class: "state", "aria-pressed": "false", "data-state": state, title: `${name} = ${state}`, onclick: () => this.#choose(name, state) },
        make("span", { class: "state-name" }, words),
        make("span", { class: "state-bar", "aria-hidden": "true" }),
        make("span", { class: "share-text number" }),
      ),
    );
    const box = make(
      "section",
      {
        class: "node",
        "aria-label": given ? `${title}, ${given}` : title,
        "--left": `${left + MARGIN}px`,
        "--top": `${top + MARGIN}px`,
        "--width": `${width}px`,
        "--height": `${height}px`,
        onmouseenter: () => this.#light(name),
        onmouseleave: () => this.#light(null),
        onfocusin: () => this.#light(name),
        onfocusout: () => this.#light(null),
      },
      make("h2", { title: given ? `${name}, ${given}` : name }, title),
      make("div", { class: "states" }, buttons),
    );
    this.#boxes.set(name, { box, buttons });
    return box;
  }

  /** Highlight the arcs of one variable. */
  #light(name) {
    for (const arc of this.element.querySelectorAll(".arc")) {
      arc.classList.toggle("lit", arc.dataset.parent === name || arc.dataset.child === name);
    }
  }

  #zoomBy(step) {
    const nearest = ZOOMS.reduce((best, zoom, place) => (Math.abs(zoom - this.#zoom) < Math.abs(ZOOMS[best] - this.#zoom) ? place : best), 0);
    this.#setZoom(ZOOMS[Math.max(0, Math.min(ZOOMS.length - 1, nearest + step))]);
  }

  #setZoom(zoom) {
    this.#zoom = zoom;
    this.sheet.style.setProperty("--zoom", String(zoom));
    this.smaller.disabled = zoom <= ZOOMS[0];
    this.larger.disabled = zoom >= ZOOMS.at(-1);
  }
}

/** Curves from column to column, and straight lines past the boxes between. */
function courseOf(points) {
  const course = [`M${points[0].join(" ")}`];
  for (let place = 1; place < points.length; place += 2) {
    const [startX, startY] = points[place - 1];
    const [endX, endY] = points[place];
    const reach = (endX - startX) / 2;
    course.push(`C${startX + reach} ${startY} ${endX - reach} ${endY} ${endX} ${endY}`);
    if (place + 1 < points.length) course.push(`L${points[place + 1].join(" ")}`);
  }
  return course.join(" ");
}

/** A probability; only impossible and certain states are shown as 0 % and 100 %. */
function percent(share) {
  if (share > 0 && share < 0.0005) return "<0.1 %";
  if (share >= 0.9995) return share >= 1 - 1e-12 ? "100 %" : ">99.9 %";
  return `${formatFixed(100 * share, 1)} %`;
}
