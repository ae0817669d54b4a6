/* Number formats: short, with a true minus sign. */

const PLACES = 4;
const NAMELESS = ["", "count", "share"];

/**
 * A value of an explanation with its unit (railbird.explanation.formats): text unchanged, a share in per cent, one thing
 * in the singular.
 */
export function formatValue(value, unit = "") {
  if (typeof value !== "number") return String(value);
  const text = formatNumber(value, unit);
  if (NAMELESS.includes(unit)) return text;
  return `${text} ${/^−?1$/.test(text) ? unit.replace(/s$/, "") : unit}`;
}

/** A value with its standard error, if it has one. */
export function formatEstimate(value, error, unit = "") {
  if (error === null) return formatValue(value, unit);
  const name = NAMELESS.includes(unit) ? "" : ` ${unit}`;
  return `${formatNumber(value, unit)} ± ${formatNumber(error, unit)}${name}`;
}

/** A number of a unit without the unit's name: at most two decimals. */
export function formatNumber(value, unit = "") {
  if (unit === "share") return formatShare(value);
  if (unit === "") return formatCell(value);
  return withCommas(formatFixed(value, 2).replace(/\.?0+$/, ""));
}

/** A value without a unit: text unchanged, a number with four significant digits. */
export function formatCell(value) {
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return minus(String(value));
  const near = Number(value.toPrecision(PLACES));
  return minus(Math.abs(near) >= 1e-4 && Math.abs(near) < 1e9 ? String(near) : near.toExponential(2));
}

/** A number with a fixed number of decimals. */
export function formatFixed(value, decimals) {
  const text = value.toFixed(decimals);
  return minus(/^-0(\.0*)?$/.test(text) ? text.slice(1) : text);
}

/** A gain or a loss, with its sign. */
export function formatSigned(value, decimals) {
  const text = formatFixed(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** A part of one as a percentage: without decimals between 10 % and 90 %, and above 100 %. */
export function formatShare(fraction) {
  const percent = 100 * fraction;
  if (percent > 0 && percent < 0.05) return "<0.1 %";
  const size = Math.abs(percent);
  const whole = (size >= 10 && size <= 90) || size > 100;
  return `${withCommas(formatFixed(percent, whole ? 0 : 1).replace(/\.0$/, ""))} %`;
}

/** Chips as the server sends them: a whole number, or a text such as "7/2". */
export function chipsValue(chips) {
  if (typeof chips === "number") return chips;
  const [top, bottom = "1"] = String(chips).split("/");
  return Number(top) / Number(bottom);
}

/** Won or lost chips; fractions have two decimals. */
export function formatChips(chips) {
  const value = chipsValue(chips);
  return withCommas(formatSigned(value, Number.isInteger(value) ? 0 : 2));
}

/** `1 case`, `7 cases`. */
export function formatCount(count, what) {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}

/** Whether enough hands were played for an interval. */
export function hasInterval(rate) {
  return rate.low !== null && rate.high !== null;
}

/** Thousands separators in the whole part of a number. */
function withCommas(text) {
  return text.replace(/\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ","));
}

function minus(text) {
  return text.replace("-", "−");
}
