/* The chosen theme and deck, put on the page before anything is drawn. Not a module: it must run first. */
(() => {
  try {
    const page = document.documentElement.dataset;
    page.theme = localStorage.getItem("railbird.theme") ?? "auto";
    page.deck = localStorage.getItem("railbird.deck") ?? "two";
  } catch {
    /* Storage may be forbidden: the page's own attributes hold. */
  }
})();
