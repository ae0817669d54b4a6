/* Text for the clipboard. */

import { announce } from "./announce.js";
import { openDialog } from "./dialog.js";
import { make } from "./elements.js";

/** Copy a text; where the browser does not allow it, show the text to be copied by hand. */
export async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    announce(`${what} copied`);
    return true;
  } catch {
    const field = make("textarea", { class: "to-copy", readonly: true, rows: 14, "aria-label": what });
    field.value = text;
    openDialog(`Copy: ${what}`, make("p", {}, "Copy the selected text."), field);
    field.focus();
    field.select();
    return false;
  }
}
