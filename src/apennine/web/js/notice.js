/** Word that one is to act, for who looks elsewhere: the title of the tab, or the desktop. Off unless asked for. */

import { prefs } from "./prefs.js";

const BLINK = 1000;

/** @param {import("./types.js").App} app */
export function mountNotice(app) {
  const title = document.title;
  let blinking = 0;
  let mine = app.live?.decision?.waiting === false;

  const rest = () => {
    clearInterval(blinking);
    blinking = 0;
    document.title = title;
  };
  const blink = (/** @type {string} */ words) => {
    rest();
    document.title = words;
    blinking = setInterval(() => {
      document.title = document.title === title ? words : title;
    }, BLINK);
  };
  const tell = () => {
    const { notice } = prefs();
    const { live } = app;
    if (notice === "off" || !document.hidden || !live?.decision) return;
    blink(`● ${live.decision.side} to act`);
    if (notice === "desktop" && "Notification" in window && Notification.permission === "granted") {
      const word = new Notification(`${live.title}: ${live.decision.side} to act`, { body: live.decision.prompt, tag: app.id });
      word.onclick = () => {
        window.focus();
        word.close();
      };
    }
  };
  app.on("heard", () => {
    const now = app.live?.decision?.waiting === false;
    if (now && !mine) tell();
    else if (!now) rest();
    mine = now;
  });
  document.addEventListener("visibilitychange", () => document.hidden || rest());
  // The browser asks whether it may tell the desktop; only a hand on the page may make it ask.
  document.addEventListener("change", (event) => {
    const chosen = /** @type {HTMLSelectElement} */ (event.target);
    if (chosen.id === "pref-notice" && chosen.value === "desktop" && "Notification" in window) Notification.requestPermission();
  });
}
