/* Table options: speed, dealing, deck, sounds, unit of results, bet sizes, keys, and the end of the session. */

import { drawKeys } from "../acting/keys.js";
import { drawPresets } from "../acting/presets.js";
import { openDialog } from "../page/dialog.js";
import { make } from "../page/elements.js";
import { chooseDeck } from "../page/preferences.js";
import { chooseUnit, unitChoices } from "../words/units.js";
import { chooseStatistics, showsStatistics } from "./plate_statistics.js";
import { chooseSounds, soundsAreOn } from "./sounds.js";

const SPEEDS = [
  ["slow", "Slow"],
  ["normal", "Normal"],
  ["fast", "Fast"],
  ["instant", "Instant"],
];

/**
 * The dialog of a table. `ask(type, fields)` sends to the server and returns whether it agreed; `onKeys`, `onPresets`
 * and the others are called when keys, bet sizes, the unit of results or the statistics on plates have changed.
 */
export function openOptions(view, { ask, onKeys, onPresets, onUnit, onStatistics }) {
  const speed = make(
    "select",
    { id: "option-speed", onchange: () => ask("settings", { speed: speed.value }) },
    SPEEDS.map(([id, title]) => make("option", { value: id, selected: id === view.speed }, title)),
  );
  const auto = check(
    "Deal the next hand automatically",
    view.auto_deal,
    (chosen) => ask("settings", { auto_deal: chosen }),
  );
  const four = check("Four-colour deck", document.documentElement.dataset.deck === "four", (chosen) =>
    chooseDeck(chosen ? "four" : "two"),
  );
  const { choices, chosen } = unitChoices(view.unit);
  const unit = make(
    "select",
    {
      id: "option-unit",
      onchange: () => {
        chooseUnit(unit.value);
        onUnit();
      },
    },
    choices.map(([choice, title]) => make("option", { value: choice, selected: choice === chosen }, title)),
  );
  const statistics = check("Statistics of opponents at their seats", showsStatistics(view), (chosen) => {
    chooseStatistics(chosen);
    onStatistics();
  });
  const guest = view.together !== null && !view.together.host;
  const dialog = openDialog(
    "Options",
    make(
      "div",
      { class: "stack" },
      guest ? null : make("div", { class: "field" }, make("label", { for: "option-speed" }, "Bot speed"), speed),
      make("div", { class: "field" }, make("label", { for: "option-unit" }, "Show results in"), unit),
      guest ? null : auto,
      four,
      view.together ? null : statistics,
      check("Sounds for cards, chips and your turn", soundsAreOn(), chooseSounds),
      view.betting === "limit" ? null : drawPresets(onPresets),
      make(
        "div",
        { class: "row" },
        make("button", { type: "button", onclick: () => openKeys(onKeys) }, "Keys"),
        guest
          ? null
          : make("button", { type: "button", onclick: () => confirmEnd(view.session, ask, dialog) }, "End the session"),
      ),
    ),
  );
}

/** The dialog with the keys. */
export function openKeys(onKeys) {
  openDialog("Keys", drawKeys(onKeys));
}

/** Asks before the session ends; its review follows. */
function confirmEnd(session, ask, options) {
  const end = async () => {
    dialog.close();
    options.close();
    if (await ask("leave")) location.hash = `#/session/${session}/review`;
  };
  const dialog = openDialog(
    "End the session?",
    make(
      "p",
      {},
      "It is kept and can be reviewed, but it cannot be continued. To come back later, just leave the page.",
    ),
    make(
      "div",
      { class: "row end-row" },
      make("button", { type: "button", class: "primary", onclick: end }, "End session"),
      make("button", { type: "button", onclick: () => dialog.close() }, "Keep playing"),
    ),
  );
}

function check(words, checked, onChange) {
  const box = make("input", { type: "checkbox", checked, onchange: () => onChange(box.checked) });
  return make("label", { class: "check" }, box, words);
}
