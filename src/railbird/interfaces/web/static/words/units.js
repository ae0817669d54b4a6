/*
 * Results in the unit that the player has chosen: the game's own unit (small bets at limit, big blinds otherwise), big
 * blinds, or dollars and chips. The server describes the units of a game as `{name, chips, big_blind, money}`.
 */

import { remember, remembered } from "../page/preferences.js";
import { chipsValue, hasInterval } from "./numbers.js";

const OWN = "own";
const BLINDS = "blinds";
const CHIPS = "chips";

/** The units of a game as `[choice, title]`, and the present choice. */
export function unitChoices(unit) {
  const own = [OWN, `${capital(unit.name)}s`];
  const blinds = unit.name === "big blind" ? [] : [[BLINDS, "Big blinds"]];
  const choices = [own, ...blinds, [CHIPS, unit.money ? "Dollars" : "Chips"]];
  const chosen = remembered("unit", OWN);
  return { choices, chosen: choices.some(([choice]) => choice === chosen) ? chosen : OWN };
}

export function chooseUnit(choice) {
  remember("unit", choice === OWN ? null : choice);
}

/** The unit of results: `small bets`, `big blinds`, `dollars`, `chips`. */
export function unitName(unit) {
  return `${shown(unit).name}s`;
}

/** A number of the game's own unit in the chosen unit. */
export function inUnit(value, unit) {
  return (value * unit.chips) / shown(unit).chips;
}

/** Won or lost chips: `+13.5 small bets`, `−$40`. */
export function formatUnits(chips, unit) {
  return formatWon(chipsValue(chips) / unit.chips, unit);
}

/** The same from a number of the game's own unit. */
export function formatWon(value, unit) {
  const amount = inUnit(value, unit);
  const { name, money, sizes } = shown(unit);
  const text = formatNumber(amount, Number.isInteger(amount) ? 0 : sizes.won, money);
  return money ? text : `${text} ${name}${/^[+−]1$/.test(text) ? "" : "s"}`;
}

/** A rate in the game's own unit per hand, as a number for a table: `+0.125`, `−$1.25`. */
export function formatMean(mean, unit) {
  const { money, sizes } = shown(unit);
  return formatNumber(inUnit(mean, unit), sizes.rate, money);
}

/** Half of an interval: `± 0.125`. */
export function formatMargin({ low, high }, unit) {
  return `± ${formatMean((high - low) / 2, unit).replace("+", "")}`;
}

/** A rate in words, and its interval, if known. */
export function rateWords(rate, unit) {
  const { name, money } = shown(unit);
  const mean = `${formatMean(rate.mean, unit)}${money ? "" : ` ${name}s`} per hand`;
  if (!hasInterval(rate)) return [mean, ""];
  return [mean, `95 % interval ${formatMean(rate.low, unit)} … ${formatMean(rate.high, unit)}`];
}

/** The chosen unit: its name, its chips, its sign, and the decimals of results and rates. */
function shown(unit) {
  const bets = { won: 1, rate: 3 };
  switch (unitChoices(unit).chosen) {
    case CHIPS:
      return { name: unit.money ? "dollar" : "chip", chips: 1, money: unit.money, sizes: { won: 2, rate: 2 } };
    case BLINDS:
      return { name: "big blind", chips: unit.big_blind, money: false, sizes: bets };
    default:
      return { name: unit.name, chips: unit.chips, money: false, sizes: bets };
  }
}

function formatNumber(value, decimals, money) {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const text = `${money ? "$" : ""}${Math.abs(value).toLocaleString("en", digits)}`;
  return `${/[1-9]/.test(text) ? (value < 0 ? "−" : "+") : ""}${text}`;
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
