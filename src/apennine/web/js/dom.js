/** Elements in one call, for HTML and for SVG. */

import { begin } from "./rest.js";

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} element
 * @param {Record<string, any>} props  `on...` are listeners, `class` and the rest attributes
 */
function dress(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "text") element.textContent = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * An HTML element. Children that are null or false are left out.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...any} children
 * @returns {any}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, props);
  element.append(...children.flat(3).filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Record<string, any>} [props]
 * @param {...any} children
 * @returns {any}
 */
export function s(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  dress(element, props);
  element.append(...children.flat(3).filter((child) => child !== null && child !== false && child !== undefined));
  return element;
}

/** @param {string} selector @returns {any} */
export const find = (selector, root = document) => root.querySelector(selector);

const ICONS = {
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  home: "M4 11l8-7 8 7M6 10v10h12V10",
  layers: "M12 3l9 5-9 5-9-5zM3 12l9 5 9-5M3 16l9 5 9-5",
  replay: "M4 5v5h5M4.6 15a8 8 0 1 0 1-8.2L4 10",
  chart: "M4 4v16h16M8 16v-5M12 16V7M16 16v-7",
  help: "M9 9a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 1.9v.4M12 17.5v.2",
  menu: "M4 6h16M4 12h16M4 18h16",
  undo: "M9 5L4 10l5 5M4 10h10a5 5 0 0 1 0 10h-4",
  close: "M6 6l12 12M18 6L6 18",
  fold: "M5 15l7-7 7 7",
  unfold: "M5 9l7 7 7-7",
  play: "M7 4l13 8-13 8z",
  pause: "M7 4v16M17 4v16",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  arrow: "M3 12h17M13 5l7 7-7 7",
  turnBack: "M18 5l-7 7 7 7M11 5l-7 7 7 7",
  turnNext: "M6 5l7 7-7 7M13 5l7 7-7 7",
  first: "M6 5v14M18 5l-8 7 8 7",
  last: "M18 5v14M6 5l8 7-8 7",
  send: "M4 12l16-8-6 16-3-7z",
  fast: "M4 5l7 7-7 7M13 5l7 7-7 7",
  warn: "M12 4L2.5 20h19zM12 10v5M12 17.6v.2",
  log: "M6 4h12v16H6zM9 8h6M9 12h6M9 16h4",
  list: "M9 6h11M9 12h11M9 18h11M4 6h.1M4 12h.1M4 18h.1",
  units: "M3 7h18v11H3zM3 7l18 11M21 7L3 18",
  info: "M12 11v6M12 7.5v.2M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18z",
  chat: "M4 5h16v11H10l-5 4v-4H4z",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
};

/** A line icon, hidden from screen readers: the button around it has the words. */
export function icon(/** @type {keyof typeof ICONS} */ name) {
  return s(
    "svg",
    { class: `icon icon-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: ICONS[name] }),
  );
}

/** A button with an icon and words; the words only show as a tooltip if `quiet`. */
export function iconButton(/** @type {any} */ name, /** @type {string} */ words, /** @type {any} */ act, props = {}) {
  return h(
    "button",
    { type: "button", class: "icon-button", title: words, "aria-label": words, onclick: act, ...props },
    icon(name),
  );
}

/** Puts new children into an element. @param {Element} element @param {...any} children */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== false && child !== undefined));
}

/** "end movement" as it stands on a button. @param {string} words */
export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/** An id or class made of any words. @param {string} words */
export const slug = (words) => words.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");

/** Calls `act` once things have been quiet for a while. @param {Function} act @param {number} ms */
export function later(act, ms) {
  let timer = 0;
  let end = () => {};
  const run = (/** @type {any[]} */ ...args) => {
    clearTimeout(timer);
    const before = end;
    const done = begin("put off");
    end = done;
    before();
    timer = setTimeout(() => {
      try {
        act(...args);
      } finally {
        done();
      }
    }, ms);
  };
  run.cancel = () => {
    clearTimeout(timer);
    end();
  };
  return run;
}

/** Whether the reader asked for less motion, here or in the system. */
export const still = () =>
  document.documentElement.dataset.motion === "less" || matchMedia("(prefers-reduced-motion: reduce)").matches;
