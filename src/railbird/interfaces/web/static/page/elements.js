/* Creates elements of the page: data from the server is always text, never markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children. Functions become listeners (`onclick`), names that begin with `--` custom
 * properties of its style; attributes and children that are null, undefined or false are left out.
 */
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for an SVG element. */
export function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Text for screen readers only. */
export function unseen(text) {
  return make("span", { class: "unseen" }, text);
}

/** Load a style sheet, once; `file` is its path below `static/`. */
export function useStyle(file) {
  const href = new URL(`../${file}`, import.meta.url).href;
  const links = [...document.querySelectorAll("link[rel=stylesheet]")];
  if (!links.some((link) => link.href === href)) document.head.append(make("link", { rel: "stylesheet", href }));
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (isNothing(value)) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => !isNothing(child)));
  return element;
}

function isNothing(value) {
  return value === null || value === undefined || value === false;
}

/**
 * Make `old` look like `fresh` and keep what is unchanged, so that focus, reading position and transitions survive.
 * Elements with a different `data-key` are replaced.
 */
export function morph(old, fresh) {
  if (old.nodeName !== fresh.nodeName || old.dataset?.key !== fresh.dataset?.key) {
    old.replaceWith(fresh);
    return;
  }
  if (old.nodeType === Node.TEXT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name === "style") old.style.cssText = fresh.style.cssText;
    else if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  const before = [...old.childNodes];
  const after = [...fresh.childNodes];
  after.forEach((child, index) => (index < before.length ? morph(before[index], child) : old.append(child)));
  before.slice(after.length).forEach((child) => child.remove());
}
