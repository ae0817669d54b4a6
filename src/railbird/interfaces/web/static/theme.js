/* Applies the chosen theme and deck before anything is drawn. Not a module, because it must run first. */
(() => {
  try {
    const page = document.documentElement.dataset;
    page.theme = localStorage.getItem("railbird.theme") ?? "auto";
    page.deck = localStorage.getItem("railbird.deck") ?? "two";
  } catch {
    /* Storage may be disabled; the page's own attributes then apply. */
  }
})();
