/*
 * Named amounts next to the slider: multiples of the bet (`2.5×`), parts of the pot (`⅓`, `75%`, `pot`) and `all-in`.
 * Each street has its own, which the player can change; this browser stores them.
 */

import { make } from "../page/elements.js";
import { remember, remembered } from "../page/preferences.js";

const STREETS = { preflop: "Before the flop", flop: "Flop", turn: "Turn", river: "River" };
const AFTER_THE_FLOP = "⅓ ½ ⅔ pot all-in";
const DEFAULTS = { preflop: "2.5× 3× 4× all-in", flop: AFTER_THE_FLOP, turn: AFTER_THE_FLOP, river: AFTER_THE_FLOP };
const FRACTIONS = { "¼": 1 / 4, "⅓": 1 / 3, "½": 1 / 2, "⅔": 2 / 3, "¾": 3 / 4, pot: 1 };
const SIGNS = { "1/4": "¼", "1/3": "⅓", "1/2": "½", "2/3": "⅔", "3/4": "¾" };
const MOST = 6;

/** The presets of a street that are legal now, as `{ name, to }`; `offer` is the raise of the view's actions. */
export function presetsFor(street, offer) {
  return parse(textOf(street))
    .map((preset) => ({ name: preset.name, to: amountOf(preset, offer) }))
    .filter(({ name, to }) => (name === "all-in" ? offer.all_in : to >= offer.least && to <= offer.most));
}

function amountOf({ times, share }, { bet, called, pot, most }) {
  if (times) return Math.round(times * bet);
  return share ? called + Math.floor(share * pot + 1e-6) : most;
}

function textOf(street) {
  const text = remembered(`presets.${street}`, DEFAULTS[street] ?? AFTER_THE_FLOP);
  return parse(text) ? text : DEFAULTS[street];
}

/** The presets of a text such as `½ 75% pot`, or null if it has a word that is none. */
function parse(text) {
  const words = text.split(/[\s,;]+/).filter(Boolean);
  const presets = words.slice(0, MOST).map(parseWord);
  return presets.includes(null) || words.length > MOST ? null : presets;
}

function parseWord(word) {
  const plain = SIGNS[word] ?? word.toLowerCase().replace("x", "×");
  if (plain === "all-in") return { name: plain };
  if (plain in FRACTIONS) return { name: plain, share: FRACTIONS[plain] };
  const [, number, unit] = plain.match(/^(\d{1,4}(?:\.\d+)?)([×%])$/) ?? [];
  if (!(Number(number) > 0)) return null;
  return unit === "×" ? { name: plain, times: Number(number) } : { name: plain, share: Number(number) / 100 };
}

/** Fields to change the presets; `onChange` is called after every change. */
export function drawPresets(onChange) {
  const told = make("p", { class: "small-text muted", id: "presets-help", role: "status" });
  const help = `Multiples of the bet (2.5×), parts of the pot (⅓, 75%, pot) and all-in; up to ${MOST} per street, separated by spaces.`;
  const fields = Object.entries(STREETS).map(([street, title]) => {
    const field = make("input", {
      id: `presets-${street}`,
      value: textOf(street),
      autocomplete: "off",
      "aria-describedby": "presets-help",
      onchange: () => {
        const presets = parse(field.value);
        field.setAttribute("aria-invalid", presets === null);
        told.textContent = presets ? help : `“${field.value}” is not a list of bet sizes. ${help}`;
        if (!presets) return;
        const text = presets.map(({ name }) => name).join(" ");
        remember(`presets.${street}`, text === DEFAULTS[street] ? null : text);
        field.value = text;
        onChange();
      },
    });
    return make("div", { class: "field" }, make("label", { for: field.id }, title), field);
  });
  told.textContent = help;
  return make("fieldset", { class: "presets-fields" }, make("legend", {}, "Bet sizes"), fields, told);
}
