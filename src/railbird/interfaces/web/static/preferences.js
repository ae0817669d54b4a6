/* What this browser remembers: theme, deck, keys. A browser that forbids storage forgets it with the page. */

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
    /* Storage may be full or forbidden; the choice then holds until the page is closed. */
  }
}

const THEMES = ["auto", "light", "dark"];

/** Light, dark, or as the system says; the next of the three. */
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
