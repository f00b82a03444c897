/** Dice: drawn as they lie on a table, with what they were for. */

import { capital, fill, find, h, s } from "./dom.js";
import { ruleChip } from "./rules.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const SHOWN = 3600;

/** A die that shows a face. @param {number} face @param {number} sides */
export function dieFace(face, sides) {
  const die = s("svg", { class: "die", viewBox: "0 0 24 24", "aria-hidden": "true" });
  if (sides !== 6) {
    die.append(
      s("path", { class: "die-body", d: "M12 1.5L22 8v8l-10 6.5L2 16V8z" }),
      s("text", { x: 12, y: 16, text: String(face) }),
    );
    return die;
  }
  die.append(s("rect", { class: "die-body", x: 1.5, y: 1.5, width: 21, height: 21, rx: 5 }));
  for (const place of PIPS[/** @type {1} */ (face)] ?? [])
    die.append(s("circle", {
      class: "die-pip",
      cx: 6.5 + (place % 3) * 5.5,
      cy: 6.5 + Math.floor(place / 3) * 5.5,
      r: 2,
    }));
  return die;
}

/** Whether a roll is one of a battle: read from a table, or a shot. @param {import("./types.js").Entry} entry */
const fought = (entry) => Boolean(entry.column) || / or (less|more)$/.test(entry.purpose ?? "");

/** Shows each new roll on the board for a moment. @param {import("./types.js").App} app */
export function mountDice(app) {
  const tray = find("#dice");
  let timer = 0;
  const show = (/** @type {import("./types.js").Entry[]} */ rolls) => {
    clearTimeout(timer);
    fill(
      tray,
      rolls.slice(-3).map((roll) =>
        h(
          "div",
          { class: "throw" },
          h(
            "span",
            { class: "dice big" },
            (roll.faces ?? []).map((face, i) => dieFace(face, roll.sides?.[i] ?? 6)),
          ),
          h("span", { class: "purpose" }, capital(roll.purpose ?? ""), " ", ruleChip(roll.rule)),
        ),
      ),
    );
    tray.hidden = false;
    timer = setTimeout(() => {
      tray.hidden = true;
    }, SHOWN);
  };
  tray.addEventListener("click", (/** @type {Event} */ event) => {
    if (!(/** @type {Element} */ (event.target).closest("button"))) tray.hidden = true;
  });
  app.on("news", (/** @type {import("./types.js").Entry[]} */ entries) => {
    // Those of battles land on the card of the battle.
    const rolls = entries.filter((entry) => entry.kind === "rolled" && !fought(entry));
    if (rolls.length) show(rolls);
  });
}
