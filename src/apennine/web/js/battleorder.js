/** The order of battle: who comes and goes by turn, who is off the map and where, who is dead. */

import { counterPicture } from "./counters.js";
import { openDialog } from "./dialog.js";
import { capital, h } from "./dom.js";
import { grouped } from "./menu.js";
import { ruleChip } from "./rules.js";

/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {{turn: number, title: string, side: string, comes: boolean, units: string[], text: string, rule: string}} Line */

const DEAD = "eliminated";

/** @param {import("./types.js").App} app */
export async function openBattleOrder(app) {
  const { shown } = app;
  if (!shown) return null;
  /** @type {Line[]} */
  const lines = await app.api.schedule(shown.as);
  /** @type {Unit[]} */
  const units = shown.view.units;
  const byName = new Map(units.map((unit) => [unit.name, unit]));
  const sideOf = (/** @type {string} */ side) => shown.sides.indexOf(side);

  /** A counter with its name, and where it is now if that is worth a word. */
  const counter = (/** @type {Unit} */ unit, told = "") => h(
    "li",
    { class: "oob-unit", title: unit.title ?? unit.name },
    counterPicture(unit, sideOf(unit.side)),
    h("span", { text: unit.name }),
    told && h("span", { class: "quiet", text: told }),
  );
  /** The title of a box for its short name. @param {string} text */
  const titled = (text) => app.board.atlas.boxes.get(text)?.title ?? text;
  /** Where a unit of the schedule is now. @param {Unit} unit */
  const now = (unit) => (unit.hex ? unit.hex : unit.where === "to come" ? "" : titled(unit.where ?? ""));
  const meant = (/** @type {Line} */ line) => line.units.map((name) => byName.get(name)).filter((unit) => unit !== undefined);

  const cell = (/** @type {string} */ head, /** @type {Line[]} */ some) => h(
    "td",
    { "data-head": head },
    some.map((line) => h(
      "div",
      { class: "oob-line" },
      h("ul", { class: "oob-units" }, meant(line).map((unit) => counter(unit, now(unit)))),
      line.text && h("p", { class: "quiet", text: capital(titled(line.text)) }),
      ruleChip(line.rule),
    )),
  );
  const turns = [...grouped(lines, (line) => line.turn)];
  /** The columns in which there is anything. */
  const columns = shown.sides.flatMap((side) => [true, false].map((comes) => ({ side, comes, head: `${side}: ${comes ? "comes" : "goes"}` })))
    .filter(({ side, comes }) => lines.some((line) => line.side === side && line.comes === comes));
  const past = turns.filter(([turn]) => turn < shown.view.turn).length;
  const tellPast = h("button", {
    type: "button",
    class: "link",
    text: past === 1 ? "Show the turn before" : `Show the ${past} turns before`,
    onclick: () => {
      schedule.classList.add("whole");
      tellPast.remove();
    },
  });
  const schedule = h(
    "section",
    { class: "schedule" },
    h("h3", { text: "To come and to go" }),
    past > 0 && h("p", {}, tellPast),
    turns.length === 0 && h("p", { class: "quiet", text: "Everybody is there from the first turn to the last." }),
    turns.length > 0 && h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "To come and to go" },
      h(
        "table",
        { class: "oob" },
        h("thead", {}, h(
          "tr",
          {},
          h("th", { scope: "col", text: "Turn" }),
          columns.map(({ head }) => h("th", { scope: "col", text: head })),
        )),
        h("tbody", {}, turns.map(([turn, some]) => h(
          "tr",
          { class: turn < shown.view.turn ? "past" : turn === shown.view.turn ? "present" : "" },
          h("th", { scope: "row", text: some[0]?.title ?? String(turn) }),
          columns.map(({ side, comes, head }) => cell(head, some.filter((line) => line.side === side && line.comes === comes))),
        ))),
      ),
    ),
  );

  /** The units of a side that are not on the map, by where they are; the dead last. */
  const away = (/** @type {string} */ side) => {
    const theirs = units.filter((unit) => unit.side === side);
    const off = theirs.filter((unit) => !unit.hex);
    const places = [...grouped(off, (unit) => unit.where ?? "off the map")];
    places.sort(([a], [b]) => Number(a === DEAD) - Number(b === DEAD));
    return h(
      "section",
      { class: `side-${sideOf(side)}` },
      h("h3", {}, h("span", { class: "side-mark", "aria-hidden": "true" }), `${side}: ${theirs.length - off.length} on the map`),
      places.length === 0 && h("p", { class: "quiet", text: "Nobody is off the map." }),
      places.map(([where, some]) => h(
        "details",
        { open: some.length <= 12 },
        h("summary", {}, capital(titled(where)), " ", h("span", { class: "count", text: String(some.length) })),
        h("ul", { class: "oob-units" }, some.map((unit) => counter(unit))),
      )),
    );
  };

  return openDialog(
    "Order of battle",
    [schedule, shown.sides.map(away)],
    { wide: true, name: "oob-dialog" },
  );
}
