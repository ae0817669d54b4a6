/* The parameters of an agent: as they are written, with the default, and what they mean. */

import { make } from "../page/elements.js";

/** A list of parameters, as the server describes them. */
export function drawParameters(parameters) {
  return make("dl", { class: "known-parameters" }, parameters.map(drawParameter));
}

function drawParameter({ name, kind, needed, default: value, meaning, source }) {
  const type = make("span", { class: "muted" }, ` ${kind}${needed ? ", required" : ""}`);
  const paper = source ? make("span", { class: "paper" }, ` (${source})`) : null;
  return [
    make("dt", {}, make("code", {}, needed ? name : `${name}=${value}`), type),
    make("dd", {}, meaning, paper),
  ];
}
