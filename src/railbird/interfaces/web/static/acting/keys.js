/* Keyboard shortcuts at the table: shown in a dialog, configurable, and stored by this browser. */

import { make } from "../page/elements.js";
import { remember, remembered } from "../page/preferences.js";

export const KEYS = {
  fold: { key: "f", does: "Fold; before your turn: check or fold" },
  call: { key: "c", does: "Check or call; before your turn: call this bet" },
  raise: { key: "r", does: "Bet or raise; before your turn: raise" },
  "call any": { key: "n", does: "Before your turn: call any bet" },
  deal: { key: "Enter", does: "Deal the next hand" },
  pause: { key: "p", does: "Pause or continue" },
  forward: { key: "g", does: "Fast-forward to the end of the hand" },
  why: { key: "w", does: "Explain the latest action" },
  advisor: { key: "a", does: "Ask the advisor" },
  strength: { key: "s", does: "Show how strong your hand is" },
  situation: { key: "i", does: "Describe the table (for screen readers)" },
  help: { key: "?", does: "Show the keys" },
};

const AMOUNT = ".amount-number, .amount-slider";
const FIGURES = /[0-9.,+-]/;

let chosen = read();

function read() {
  try {
    const kept = JSON.parse(remembered("keys", "{}"));
    return Object.fromEntries(
      Object.keys(KEYS).map((name) => [name, typeof kept[name] === "string" ? kept[name] : KEYS[name].key]),
    );
  } catch {
    return Object.fromEntries(Object.keys(KEYS).map((name) => [name, KEYS[name].key]));
  }
}

/** The key of a command as shown; "" if it has none. */
export function keyOf(name) {
  return chosen[name] ?? "";
}

/** The command of a key, or null. */
export function commandOf(key) {
  return Object.keys(KEYS).find((name) => chosen[name] === key) ?? null;
}

/** Give a command another key; the command that had it gets the old one. "" removes the command's key. */
export function chooseKey(name, key) {
  const other = key ? commandOf(key) : null;
  if (other) chosen[other] = chosen[name];
  chosen[name] = key;
  remember("keys", JSON.stringify(chosen));
}

export function resetKeys() {
  chosen = Object.fromEntries(Object.keys(KEYS).map((name) => [name, KEYS[name].key]));
  remember("keys", null);
}

/**
 * Handle keys for the table until the returned function is called: `onCommand(name)` for a command, `onDigit(digit)` for
 * the first digit of an amount. Fields, dialogs and buttons keep the keys that they need: amount fields keep digits and
 * editing keys, other fields keep all keys.
 */
export function hearKeys({ onCommand, onDigit }) {
  const hear = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
    const { target, key } = event;
    if (document.querySelector("dialog[open]") || isForField(target, key)) return;
    // A button that was merely clicked does not take Enter from the table; one with a visible focus does.
    const presses = ["Enter", " "].includes(key) && target.closest?.("button, a, summary");
    if (presses && target.matches(":focus-visible")) return;
    const command = commandOf(key.length === 1 ? key.toLowerCase() : key);
    if (command) {
      event.preventDefault();
      onCommand(command);
    } else if (/^[0-9]$/.test(key) && onDigit(key)) {
      event.preventDefault();
    }
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}

/** Whether a field needs this key. */
function isForField(target, key) {
  if (!target.closest?.("input, select, textarea")) return false;
  return !target.matches(AMOUNT) || key.length > 1 || FIGURES.test(key);
}

/** The dialog that shows and changes the keys; `onChange` after every change. */
export function drawKeys(onChange) {
  const rows = make("tbody");
  const message = make("p", { role: "status", class: "muted small-text" });
  const draw = () => rows.replaceChildren(...Object.keys(KEYS).map(drawRow));
  const changed = (text) => {
    draw();
    message.textContent = text;
    onChange();
  };
  const drawRow = (name) =>
    make(
      "tr",
      {},
      make("td", {}, KEYS[name].does),
      make(
        "td",
        {},
        make(
          "button",
          {
            type: "button",
            class: "small key",
            "data-command": name,
            "aria-label": `Key for: ${KEYS[name].does}: ${keyOf(name) || "none"}`,
            onclick: (event) => listen(event.currentTarget, name),
          },
          make("kbd", {}, keyOf(name) || "none"),
        ),
      ),
    );
  const listen = (button, name) => {
    button.replaceChildren("press a key …");
    message.textContent = "Press the new key; Backspace for none, Escape to keep the old one.";
    const take = (event) => {
      if (["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      button.removeEventListener("keydown", take);
      button.removeEventListener("blur", leave);
      if (event.key === "Escape") changed("");
      else if (event.key === "Backspace") setKey(name, "", "Key removed.");
      else if (/^[0-9]$/.test(event.key)) changed("Digits are for amounts: choose another key.");
      else setKey(name, event.key.length === 1 ? event.key.toLowerCase() : event.key, `Key changed to ${event.key}.`);
      rows.querySelector(`[data-command="${name}"]`).focus();
    };
    const leave = () => {
      button.removeEventListener("keydown", take);
      changed("");
    };
    button.addEventListener("keydown", take);
    button.addEventListener("blur", leave, { once: true });
  };
  const setKey = (name, key, text) => {
    chooseKey(name, key);
    changed(text);
  };
  draw();
  const reset = () => {
    resetKeys();
    changed("Keys reset to defaults.");
  };
  return make(
    "div",
    { class: "stack" },
    make(
      "p",
      { class: "muted small-text" },
      "Type digits to enter an amount, Enter to bet it, Escape to leave the field. Select a key below to change it.",
    ),
    make(
      "table",
      { class: "keys" },
      make("caption", { class: "unseen" }, "Keys at the table"),
      make(
        "thead",
        { class: "unseen" },
        make("tr", {}, make("th", { scope: "col" }, "What it does"), make("th", { scope: "col" }, "Key")),
      ),
      rows,
    ),
    make("div", { class: "row" }, make("button", { type: "button", onclick: reset }, "Reset to defaults"), message),
  );
}
