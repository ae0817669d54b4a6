/* A dialog in front of the page, with a title and a button that closes it. */

import { make } from "./elements.js";

/** Show it; it is removed from the page when it closes. Returns the dialog. */
export function openDialog(title, ...content) {
  const dialog = make("dialog", { "aria-label": title });
  const close = make(
    "button",
    { type: "button", class: "quiet", "aria-label": "Close", onclick: () => dialog.close() },
    "✕",
  );
  dialog.append(make("div", { class: "dialog-head" }, make("h2", {}, title), close), ...content);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
