/** What is said aloud to those who do not see the board, and shown for a moment to those who do. */

import { find, h } from "./dom.js";

let turn = 0;

/** @param {string} words */
export function say(words) {
  // Two regions in turn: the same words twice are said twice.
  turn = 1 - turn;
  find(`#live-${turn}`).textContent = words;
  find(`#live-${1 - turn}`).textContent = "";
}

/** A line that goes away by itself. @param {string} words @param {"plain"|"bad"} tone */
export function toast(words, tone = "plain") {
  const line = h("p", { class: `toast ${tone}`, text: words });
  find("#toasts").append(line);
  say(words);
  setTimeout(() => line.remove(), tone === "bad" ? 7000 : 4000);
}
