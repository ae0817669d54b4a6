/* Preferences stored by this browser: theme, deck, keys. Without storage they last until the page is closed. */

const PREFIX = "railbird.";

export function remembered(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : text;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    if (value === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, value);
  } catch {
    /* Storage may be full or disabled; the choice then lasts until the page is closed. */
  }
}

const THEMES = ["auto", "light", "dark"];

/** Switch to the next theme: light, dark, or the system default. */
export function nextTheme() {
  const page = document.documentElement.dataset;
  page.theme = THEMES[(THEMES.indexOf(page.theme) + 1) % THEMES.length];
  remember("theme", page.theme === "auto" ? null : page.theme);
  return page.theme;
}

/** Two or four colours on the cards. */
export function chooseDeck(colours) {
  document.documentElement.dataset.deck = colours;
  remember("deck", colours);
}
