/** How this reader wants things to look: kept in the browser, shown as `data-` on the root. */

const KEY = "apennine.prefs";
const DEFAULTS = {
  theme: "auto",
  counters: "nations",
  motion: "auto",
  hints: "on",
  pace: "normal",
  follow: "on",
  confirm: "touch",
  sound: "off",
  notice: "off",
  stacks: "whole",
  steps: "pass",
};

/** What can be chosen, with the words of the settings dialog. */
export const CHOICES = {
  theme: ["Theme", { auto: "As the system", light: "Light", dark: "Dark", contrast: "High contrast" }],
  counters: ["Counters", { nations: "Colours of nations", sides: "Colours of sides (blue and orange)" }],
  motion: ["Motion", { auto: "As the system", less: "Less" }],
  hints: ["Hints", { on: "Show each once", off: "None" }],
  pace: ["Pace of the other side's turn", {
    slow: "Slow",
    normal: "Normal",
    fast: "Fast",
    "at once": "At once",
    "step by step": "Step by step",
  }],
  follow: ["Opponent's moves", { on: "Bring into view", off: "Leave the map alone" }],
  sound: ["Sound", { off: "Off", on: "Dice, guns, and when it is your turn" }],
  notice: ["When you are to act and look elsewhere", {
    off: "Nothing",
    title: "The title of the tab blinks",
    desktop: "And a notice on the desktop",
  }],
  confirm: ["Second click to confirm", { touch: "On touch screens", always: "Always" }],
  stacks: ["One click takes", { whole: "A whole stack, all attackers", single: "One unit" }],
  steps: ["Steps with nothing to decide", { pass: "Pass over", stop: "Stop at each" }],
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
