/*
 * The chart of a session: cumulative winnings, their 95 % interval, and the same split into hands with and without a
 * showdown. It is redrawn when its width changes. Below it are the same numbers as a table.
 */

import { draw, make } from "../page/elements.js";
import { formatCell, formatCount, formatSigned } from "../words/numbers.js";

const EDGE = { top: 30, right: 16, bottom: 36, left: 52 };
const MOST_POINTS = 600;
const TABLE_ROWS = 20;
const WIDE = 640;

/**
 * The figure. `series` are `{name, kind, values}` with the value after each hand; `band` is null or `{low, high}`, the
 * bounds after each hand.
 */
export function drawChart({ title, unit, series, band }) {
  const hands = series[0].values.length;
  const place = make("div", { class: "chart-place" });
  const reading = make("output", { class: "chart-reading", "aria-hidden": "true" });
  const chart = { title, unit, series, band, hands, reading };
  const observer = new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width && place.dataset.width !== String(width)) {
      place.dataset.width = width;
      place.replaceChildren(drawing(chart, width));
    }
  });
  observer.observe(place);
  return make("figure", { class: "chart" }, legend(chart), place, reading, asTable(chart));
}

function legend({ series, band }) {
  const lines = series.map(({ name, kind }) =>
    make("li", {}, sample("line", { class: `chart-line chart-${kind}`, x1: 0, x2: 28, y1: 6, y2: 6 }), name),
  );
  if (band) {
    lines.push(make("li", {}, sample("rect", { class: "chart-band", width: 28, height: 12 }), "95 % interval"));
  }
  return make("ul", { class: "chart-legend", role: "list" }, lines);
}

function sample(tag, attributes) {
  return draw("svg", { width: 28, height: 12, "aria-hidden": "true" }, draw(tag, attributes));
}

function drawing(chart, width) {
  const height = width < WIDE ? 240 : 340;
  const places = placesOf(chart, width, height);
  const picture = draw(
    "svg",
    {
      class: "chart-drawing",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": sentence(chart),
    },
    grid(chart, places, width, height),
    chart.band ? draw("path", { class: "chart-band", d: bandPath(chart, places) }) : null,
    chart.series.map(({ kind, values }) =>
      draw("path", { class: `chart-line chart-${kind}`, d: linePath(values, places) }),
    ),
  );
  addReading(picture, chart, places, height);
  return picture;
}

/** From hands and values to places in the drawing, and back. */
function placesOf({ series, band, hands }, width, height) {
  const bounds = band ? [band.low, band.high] : [];
  const all = [...series.map(({ values }) => values), ...bounds].flat();
  const ticks = niceTicks(Math.min(0, ...all), Math.max(0, ...all), 6);
  const [low, high] = [ticks[0], ticks.at(-1)];
  const across = (width - EDGE.left - EDGE.right) / Math.max(1, hands);
  return {
    ticks,
    x: (hand) => EDGE.left + across * hand,
    y: (value) => EDGE.top + ((high - value) / (high - low)) * (height - EDGE.top - EDGE.bottom),
    hand: (x) => Math.min(hands, Math.max(1, Math.round((x - EDGE.left) / across))),
  };
}

/** Round numbers from at most `low` to at least `high`, about as many as requested. */
export function niceTicks(low, high, wanted) {
  const span = high - low || 1;
  const rough = span / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.floor(low / step);
  const last = Math.max(first + 1, Math.ceil(high / step));
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

function grid({ hands, unit }, { ticks, x, y }, width, height) {
  const right = width - EDGE.right;
  const across = ticks.map((value) => [
    draw("line", { class: value ? "chart-rule" : "chart-zero", x1: EDGE.left, x2: right, y1: y(value), y2: y(value) }),
    draw("text", { class: "chart-tick", x: EDGE.left - 8, y: y(value) + 4, "text-anchor": "end" }, formatCell(value)),
  ]);
  const marks = niceTicks(0, hands, width < WIDE ? 4 : 8).filter((hand) => hand <= hands && Number.isInteger(hand));
  const line = height - EDGE.bottom + 18;
  const below = marks.map((hand) =>
    draw("text", { class: "chart-tick", x: x(hand), y: line, "text-anchor": "middle" }, formatCell(hand)),
  );
  const names = [
    draw("text", { class: "chart-axis", x: right, y: height - 4, "text-anchor": "end" }, "hands"),
    draw("text", { class: "chart-axis", x: 4, y: 14 }, `won, in ${unit}`),
  ];
  return draw("g", { "aria-hidden": "true" }, across, below, names);
}

/** The hands whose values are drawn: all of them, or as many as can be distinguished. */
function drawnHands(hands) {
  const step = Math.max(1, Math.ceil(hands / MOST_POINTS));
  const drawn = [];
  for (let hand = step; hand < hands; hand += step) {
    drawn.push(hand);
  }
  return [...drawn, hands];
}

function linePath(values, { x, y }) {
  const points = drawnHands(values.length).map((hand) => `L${x(hand).toFixed(1)} ${y(values[hand - 1]).toFixed(1)}`);
  return `M${x(0).toFixed(1)} ${y(0).toFixed(1)}${points.join("")}`;
}

function bandPath({ band, hands }, { x, y }) {
  const drawn = drawnHands(hands);
  const point = (hand, bound) => `L${x(hand).toFixed(1)} ${y(bound[hand - 1]).toFixed(1)}`;
  const there = drawn.map((hand) => point(hand, band.high));
  const back = drawn.toReversed().map((hand) => point(hand, band.low));
  return `M${x(0).toFixed(1)} ${y(0).toFixed(1)}${there.join("")}${back.join("")}Z`;
}

/** A line at the pointer and the values there. */
function addReading(picture, { series, unit, reading }, { x, hand }, height) {
  const marker = draw("line", { class: "chart-marker", y1: EDGE.top, y2: height - EDGE.bottom, visibility: "hidden" });
  picture.append(marker);
  picture.addEventListener("pointermove", (event) => {
    const number = hand(event.clientX - picture.getBoundingClientRect().left);
    marker.setAttribute("x1", x(number));
    marker.setAttribute("x2", x(number));
    marker.setAttribute("visibility", "visible");
    const values = series.map(({ name, values: won }) => `${name} ${formatSigned(won[number - 1], 1)}`);
    reading.textContent = `after ${formatCount(number, "hand")}: ${values.join(", ")} ${unit}`;
  });
  picture.addEventListener("pointerleave", () => {
    marker.setAttribute("visibility", "hidden");
    reading.textContent = "";
  });
}

function sentence({ title, unit, series, hands }) {
  const ends = series.map(({ name, values }) => `${name} ${formatSigned(values.at(-1), 1)} ${unit}`);
  return `${title}. After ${formatCount(hands, "hand")}: ${ends.join(", ")}.`;
}

function asTable({ unit, series, band, hands }) {
  const step = Math.max(1, Math.ceil(hands / TABLE_ROWS));
  const numbers = Array.from({ length: Math.ceil(hands / step) }, (_, index) => Math.min(hands, (index + 1) * step));
  const columns = [...series.map(({ name }) => `${name} (${unit})`), ...(band ? ["95 % interval"] : [])];
  const rows = numbers.map((hand) => {
    const values = series.map(({ values: won }) => formatSigned(won[hand - 1], 1));
    const bounds = band ? [`${formatSigned(band.low[hand - 1], 1)} … ${formatSigned(band.high[hand - 1], 1)}`] : [];
    const cells = [...values, ...bounds].map((text) => make("td", { class: "number" }, text));
    return make("tr", {}, make("th", { scope: "row", class: "number" }, String(hand)), cells);
  });
  const headings = ["hands", ...columns].map((name) => make("th", { scope: "col", class: "number" }, name));
  return make(
    "details",
    { class: "chart-table" },
    make("summary", {}, "Chart as a table"),
    make(
      "div",
      { class: "why-scroll", tabindex: "0", role: "region", "aria-label": "Chart as a table" },
      make("table", { class: "why-table" }, make("thead", {}, make("tr", {}, headings)), make("tbody", {}, rows)),
    ),
  );
}
