/** What is in hand, beside the question: the units of the stack, or those who would attack, each to
 * be left out by a click; and what the stack could do instead. */

import { counterPicture } from "./counters.js";
import { fill, find, h } from "./dom.js";
import { UNIT } from "./menu.js";
import { totals } from "./strength.js";

/** @typedef {import("./types.js").Unit} Unit */

/** @param {import("./types.js").App} app */
export function mountInHand(app) {
  const strip = find("#in-hand");
  /** What it last showed, so that it need not be built again. */
  let print = "";

  /** Whom it is about, and who of them is in. @returns {{units: Unit[], chosen: Set<string>}|null} */
  const about = () => {
    const { could, do: chosen } = app.orders.attack();
    const known = (/** @type {string[]} */ names) => names.flatMap((name) => app.board.pieces.unit(name) ?? []);
    const names = (/** @type {typeof could} */ options) => options.map((option) => option[UNIT] ?? "");
    if (could.length > 0) return { units: known(names(could)), chosen: new Set(names(chosen)) };
    const held = app.orders.held();
    if (!held || held.gone) return null;
    const moving = app.orders.moving();
    const joins = app.orders.menu()?.byUnit ?? new Map();
    const stack = app.board.pieces.stack(held.place).filter(({ name }) => moving.has(name) || joins.has(name) || held.units.includes(name));
    return { units: stack, chosen: moving };
  };

  /** What a click on a unit does that is not in. @param {Unit} unit */
  const joining = (unit) => {
    const joins = app.orders.attack().could.length > 0 || app.orders.menu()?.byUnit.has(unit.name);
    return joins ? "take it along" : "take it instead";
  };
  const toggle = (/** @type {Unit} */ unit, /** @type {boolean} */ on) =>
    h(
      "button",
      {
        type: "button",
        class: "in-hand-unit",
        "data-name": unit.name,
        "aria-pressed": String(on),
        "aria-label": `${unit.title || unit.name}: ${on ? "comes along" : "stays"}`,
        title: `${unit.title || unit.name}: click to ${on ? "leave it out" : joining(unit)}`,
        onclick: () => app.orders.unit(unit.name),
      },
      counterPicture(unit, app.sideOf(unit.side)),
    );

  const show = () => {
    const found = app.replaying || !app.orders.menu() ? null : about();
    const others = app.orders.others();
    const now = JSON.stringify([found?.units, [...(found?.chosen ?? [])], others]);
    if (now === print) return;
    print = now;
    strip.hidden = !found || (found.units.length < 2 && others.length === 0);
    if (!found || strip.hidden) {
      fill(strip);
      return;
    }
    const focus = /** @type {HTMLElement|null} */ (document.activeElement)?.closest("#in-hand") ? /** @type {any} */ (document.activeElement).dataset.name : null;
    fill(
      strip,
      h("div", { class: "in-hand-units", role: "group", "aria-label": "In hand" },
        found.units.map((unit) => toggle(unit, found.chosen.has(unit.name)))),
      h("span", { class: "quiet in-hand-total", text: totals(found.units.filter(({ name }) => found.chosen.has(name))) }),
      others.length > 0 && h(
        "div",
        { class: "instead", role: "group", "aria-label": "Instead" },
        h("span", { class: "quiet", text: "Instead:" }),
        others.map(({ option, words }) => h("button", {
          type: "button",
          class: "button quiet-button",
          text: words,
          onclick: () => app.orders.instead(option),
        })),
      ),
    );
    if (focus) strip.querySelector(`[data-name="${CSS.escape(focus)}"]`)?.focus();
  };
  app.on("menu", show);
}
