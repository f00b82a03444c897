/** How this reader wants things to look: kept in the browser, shown as `data-` on the root. */

const KEY = "apennine.prefs";
const DEFAULTS = {
  theme: "auto",
  counters: "nations",
  motion: "auto",
  hints: "on",
  follow: "on",
  confirm: "touch",
};

/** What can be chosen, with the words of the settings dialog. */
export const CHOICES = {
  theme: ["Theme", { auto: "As the system", light: "Light", dark: "Dark", contrast: "High contrast" }],
  counters: ["Counters", { nations: "Colours of nations", sides: "Colours of sides (blue and orange)" }],
  motion: ["Motion", { auto: "As the system", less: "Less" }],
  hints: ["Hints", { on: "Show each once", off: "None" }],
  follow: ["Opponent's moves", { on: "Bring into view", off: "Leave the map alone" }],
  confirm: ["Second click to confirm", { touch: "On touch screens", always: "Always" }],
};

/** @typedef {typeof DEFAULTS} Prefs */

/** @returns {Prefs} */
export function prefs() {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

/** @param {keyof Prefs} name @param {string} value */
export function prefer(name, value) {
  localStorage.setItem(KEY, JSON.stringify({ ...prefs(), [name]: value }));
  dressRoot();
}

const dark = matchMedia("(prefers-color-scheme: dark)");
const contrast = matchMedia("(prefers-contrast: more)");

/** Shows the preferences on the root element, and the theme of the maps with them. */
export function dressRoot() {
  const { theme, counters, motion } = prefs();
  const wanted = theme !== "auto" ? theme : contrast.matches ? "contrast" : dark.matches ? "dark" : "light";
  const root = document.documentElement;
  root.dataset.theme = wanted;
  root.dataset.counters = counters;
  root.dataset.motion = motion;
  for (const map of document.querySelectorAll(".apennine-map")) map.setAttribute("data-theme", wanted);
}

dark.addEventListener("change", dressRoot);
contrast.addEventListener("change", dressRoot);
dressRoot();
