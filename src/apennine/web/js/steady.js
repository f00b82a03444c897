/** Buttons that come and go with each question: one that takes the place of another under a finger or
 * a pointer at rest does not hear the second click of a hasty hand. As long as that may happen the page
 * is not at rest. */

import { begin } from "./rest.js";

const HASTE = 500;
const STILL = 8;

/** @param {HTMLElement} box  the buttons' */
export function keepSteady(box) {
  /** The last click, and what it was on. @type {{x: number, y: number, on: string, when: number}|null} */
  let last = null;
  box.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (!button || event.detail === 0) return;
    const now = { x: event.clientX, y: event.clientY, on: button.textContent ?? "", when: event.timeStamp };
    const hasty = last && now.when - last.when < HASTE && Math.hypot(now.x - last.x, now.y - last.y) < STILL;
    const swapped = hasty && last?.on !== now.on;
    if (swapped) {
      event.stopPropagation();
      event.preventDefault();
    } else {
      last = now;
      setTimeout(begin("haste"), HASTE);
    }
  }, true);
}
