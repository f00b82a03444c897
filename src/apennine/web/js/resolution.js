/** How a battle was fought out: each roll with its column and row, or shot by shot, and what came of it. */

import { charts as askCharts } from "./api.js";
import { capital, h } from "./dom.js";
import { dieFace } from "./dice.js";
import { ruleChip } from "./rules.js";
import { plain } from "./wording.js";

/** @typedef {import("./types.js").Entry} Entry */
/** @typedef {import("./types.js").Passage} Passage */
/** @typedef {import("./types.js").Chart} Chart */

const LOSSES = /^(\d+)\/(\d+)\s*(.*)$/;
const TARGET = /(\d+) or (less|more)$/;

/** @type {Map<string, Promise<Chart[]>>} */
const asked = new Map();
/** The charts of a game, asked for once. @param {string} game @returns {Promise<Chart[]>} */
export function chartsOf(game) {
  const found = asked.get(game) ?? askCharts(game);
  asked.set(game, found);
  return found;
}

/** The chart that has a column of this name. @param {Chart[]} charts @param {string|undefined} column */
export const chartWith = (charts, column) =>
  (column ? charts.find((chart) => chart.columns.indexOf(column) > 0) : undefined);

const steps = (/** @type {number} */ count) => (count === 0 ? "nothing" : `${count} step${count === 1 ? "" : "s"}`);

/**
 * A cell of a table in words: "1/1: you lose 1 step, German loses 1 step".
 * @param {string} cell @param {string} attacker @param {string} defender @param {string[]} you
 */
export function resultWords(cell, attacker, defender, you) {
  const losses = LOSSES.exec(cell);
  if (!losses) return cell;
  const told = (/** @type {string} */ side, /** @type {string} */ count) =>
    (you.length === 1 && you.includes(side) ? `you lose ${steps(Number(count))}` : `${side} loses ${steps(Number(count))}`);
  const more = losses[3].replace(/^R(\d+)$/, "retreat $1");
  return `${cell}: ${told(attacker, losses[1])}, ${told(defender, losses[2])}${more ? `, ${more}` : ""}`;
}

/** A table small enough for the card, its column lit and the die on its row. @param {Chart} chart @param {Entry} roll */
function litTable(chart, roll) {
  const column = chart.columns.indexOf(roll.column ?? "");
  const row = String((roll.faces ?? []).reduce((sum, face) => sum + face, 0));
  const lit = (/** @type {number} */ i) => (i === column ? "lit" : "");
  return h(
    "table",
    { class: "lit-table" },
    h("caption", { class: "sr", text: `${chart.title}: column ${roll.column}, row ${row}` }),
    h("thead", {}, h("tr", {}, chart.columns.map((name, i) => h(i ? "th" : "td", { ...(i && { scope: "col" }), class: lit(i), text: name })))),
    h("tbody", {}, chart.rows.map((cells) => h(
      "tr",
      { class: String(cells[0]) === row ? "landed" : "" },
      cells.map((cell, i) => h(i ? "td" : "th", {
        ...(i === 0 && { scope: "row" }),
        class: lit(i),
      }, i === 0 && String(cell) === row && roll.faces?.length === 1 ? dieFace(roll.faces[0], roll.sides?.[0] ?? 6) : String(cell ?? ""))),
    ))),
  );
}

/** Whether a shot hit, for a roll that names its number. @param {Entry} roll */
function shotWords(roll) {
  const target = TARGET.exec(roll.purpose ?? "");
  const [face] = roll.faces ?? [];
  if (!target || face === undefined || roll.faces?.length !== 1) return "";
  return (target[2] === "less" ? face <= Number(target[1]) : face >= Number(target[1])) ? "hit" : "miss";
}

/**
 * All steps of a battle, one below the other.
 * @param {import("./types.js").App} app @param {Chart[]} charts @param {Passage} passage @param {Entry[]} entries
 */
export function resolution(app, charts, passage, entries) {
  const you = app.live?.you ?? [];
  const attacker = passage.side ?? "";
  const defender = app.live?.sides.find((side) => side !== attacker) ?? "";
  const line = (/** @type {Entry} */ entry) => {
    if (entry.kind !== "rolled") return entry.kind === "event" ? h("li", { class: "came", text: capital(plain(entry.text)) }) : null;
    const dice = h("span", { class: "dice", "aria-hidden": "true" }, (entry.faces ?? []).map((face, i) => dieFace(face, entry.sides?.[i] ?? 6)));
    const chart = chartWith(charts, entry.column);
    if (!chart) {
      const shot = shotWords(entry);
      return h(
        "li",
        { class: `shot ${shot}` },
        dice,
        h("span", {}, capital(entry.purpose ?? ""), shot && h("strong", { text: `: ${(entry.faces ?? []).join(", ")}, ${shot}` }), " ", ruleChip(entry.rule)),
      );
    }
    return h(
      "li",
      { class: "read" },
      h("p", { class: "odds" }, "Column ", h("strong", { text: entry.column }), " ", ruleChip(entry.rule)),
      (entry.lines ?? []).length > 0 && h("dl", { class: "shifts" }, (entry.lines ?? []).map(([what, value, rule]) => h("div", {}, h("dt", {}, capital(what), " ", ruleChip(rule)), h("dd", { text: value })))),
      litTable(chart, entry),
      h("p", { class: "result", text: resultWords(cellOf(charts, entry), attacker, defender, you) }),
    );
  };
  const losses = (passage.losses ?? []).map(([unit, side, lost, gone]) => h("li", { class: `side-${app.sideOf(side)}` }, h("span", { class: "side-mark" }), gone ? `${unit} eliminated` : `${unit} loses ${steps(lost)}`));
  return [
    h("ol", { class: "fight-steps" }, entries.map(line)),
    losses.length > 0 && h("ul", { class: "fight-losses" }, losses),
  ];
}

/**
 * Whose losses are not all chosen yet, and how many are left.
 * @param {import("./types.js").App} app @param {Chart[]} charts @param {Passage} passage @param {Entry[]} entries
 */
export function lossesLeft(app, charts, passage, entries) {
  const roll = entries.findLast((entry) => entry.column);
  const losses = LOSSES.exec(cellOf(charts, roll));
  if (!losses) return [];
  const sides = [passage.side ?? "", app.live?.sides.find((side) => side !== passage.side) ?? ""];
  return sides.flatMap((side, i) => {
    const due = Number(losses[i + 1]);
    const lost = (passage.losses ?? []).filter(([, of]) => of === side).reduce((sum, [, , count]) => sum + count, 0);
    return due > lost ? [`${side} must still choose ${steps(due - lost)} of ${due}.`] : [];
  });
}

/** What a table says to a roll. @param {Chart[]} charts @param {Entry|undefined} roll */
function cellOf(charts, roll) {
  const chart = chartWith(charts, roll?.column);
  const row = String((roll?.faces ?? []).reduce((sum, face) => sum + face, 0));
  return String(chart?.rows.find((cells) => String(cells[0]) === row)?.[chart.columns.indexOf(roll?.column ?? "")] ?? "");
}
