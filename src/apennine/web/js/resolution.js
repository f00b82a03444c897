/** How a battle was fought out: each roll with its column and row, or shot by shot, and what came of it. */

import { charts as askCharts } from "./api.js";
import { capital, h } from "./dom.js";
import { dieFace } from "./dice.js";
import { ruleChip } from "./rules.js";
import { plain } from "./wording.js";

/** @typedef {import("./types.js").Entry} Entry */
/** @typedef {import("./types.js").Passage} Passage */
/** @typedef {import("./types.js").Chart} Chart */

const LOSSES = /^(\d+)\*?\/(\d+)\s*(.*)$/;
const CODED = /^(?=[AD-])(A\d*R?)? ?(D\d*R?)?-?$/;
const LOSS = /\b(loses?|lost|eliminated|destroyed|gone)\b/i;
/** An event that says no more than that there is a result: the table has told which. */
const RESULT = /^result( at .*)?$/i;
const TARGET = /(\d+) or (less|more)$/;

/** @type {Map<string, Promise<Chart[]>>} */
const asked = new Map();
/** The charts of a game, asked for once. @param {string} game @returns {Promise<Chart[]>} */
export function chartsOf(game) {
  const found = asked.get(game) ?? askCharts(game);
  asked.set(game, found);
  return found;
}

/** The chart with a column of this name that dice are read from: its rows are numbers. @param {Chart[]} charts @param {string|undefined} column */
const chartWith = (charts, column) =>
  (column ? charts.find((chart) => chart.columns.indexOf(column) > 0 && chart.rows.every(([first]) => /^\d/.test(String(first)))) : undefined);

/**
 * The row that a roll has come to: a table whose ends are open is entered with the modifiers added,
 * others have them in their column.
 * @param {Chart|undefined} chart @param {Entry|undefined} roll
 */
function rowOf(chart, roll) {
  const open = chart?.rows.some(([first]) => / or (less|more)$/.test(String(first)));
  const added = open ? (roll?.lines ?? []).reduce((sum, [, value]) => sum + Number(value), 0) : 0;
  const sum = (roll?.faces ?? []).reduce((all, face) => all + face, 0) + added;
  return chart?.rows.find(([first]) => {
    const [number, , beyond] = String(first).split(" ");
    return beyond === "less" ? sum <= Number(number) : beyond === "more" ? sum >= Number(number) : sum === Number(number);
  });
}

const steps = (/** @type {number} */ count) => (count === 0 ? "nothing" : `${count} step${count === 1 ? "" : "s"}`);

/** What another table calls a result that is a code, such as "DR2". @param {Chart[]} charts @param {string} cell */
function titleOf(charts, cell) {
  const [code] = cell.split(" ");
  const chart = charts.find(({ columns, rows }) => columns[1] === "title" && rows.some(([first]) => String(first) === code));
  return String(chart?.rows.find(([first]) => String(first) === code)?.[1] ?? "");
}

/** What a result costs attacker and defender, where it says so itself: "1/2 R3" or "A1 D2R". @param {Chart[]} charts @param {string} cell */
function costsOf(charts, cell) {
  const losses = LOSSES.exec(cell);
  if (losses) {
    const retreat = /^R(\d+)$/.exec(losses[3]);
    return { lost: [Number(losses[1]), Number(losses[2])], back: [false, false], retreat: retreat ? `, retreat ${retreat[1]}` : "" };
  }
  const coded = titleOf(charts, cell) ? null : CODED.exec(cell);
  if (!coded) return null;
  const parts = [coded[1] ?? "", coded[2] ?? ""];
  return { lost: parts.map((part) => Number(/\d+/.exec(part)?.[0] ?? 0)), back: parts.map((part) => part.endsWith("R")), retreat: "" };
}

/**
 * A cell of a table in words: "1/1: you lose 1 step, they lose 1 step".
 * @param {Chart[]} charts @param {string} cell @param {string} attacker @param {string} defender @param {string[]} you
 */
export function resultWords(charts, cell, attacker, defender, you) {
  const costs = costsOf(charts, cell);
  if (!costs) return titleOf(charts, cell) ? `${cell.split(" ")[0]}: ${titleOf(charts, cell)}` : cell;
  const told = [attacker, defender].map((side, i) => {
    const mine = you.length === 1 && you.includes(side);
    const goes = costs.back[i] ? ` and ${you.length === 1 ? "retreat" : "retreats"}` : "";
    return `${mine ? "you lose" : you.length === 1 ? "they lose" : `${side} loses`} ${steps(costs.lost[i] ?? 0)}${goes}`;
  });
  return `${cell}: ${told.join(", ")}${costs.retreat}`;
}

/** The same in few words, where a table leaves no room for more. @param {Chart[]} charts @param {string} cell @param {string[]} names  of attacker and defender */
export function resultBriefly(charts, cell, names) {
  const costs = costsOf(charts, cell);
  return costs ? names.slice(0, 2).map((name, i) => `${name} −${costs.lost[i]}${costs.back[i] ? " and back" : ""}`).join(", ") : titleOf(charts, cell);
}

/** More columns than these have no room where a cell has more than a few letters. */
const [NARROW, AROUND] = [4, 2];

/** A table small enough for the card, its column lit and the die on its row. @param {Chart} chart @param {Entry} roll @param {string} row  on which it has landed */
function litTable(chart, roll, row) {
  const column = chart.columns.indexOf(roll.column ?? "");
  const lit = (/** @type {number} */ i) => (i === column ? "lit" : "");
  const brief = (/** @type {any} */ cell, /** @type {number} */ i) => (i && !LOSSES.test(String(cell)) ? String(cell ?? "").split(" ")[0] : String(cell));
  const wide = chart.rows.some((cells) => cells.some((cell, i) => i > 0 && brief(cell, i).length > NARROW)) && chart.columns.length > 2 * AROUND + 2;
  const shown = (/** @type {any} */ _, /** @type {number} */ i) => !wide || i === 0 || Math.abs(i - column) <= AROUND;
  return h(
    "table",
    { class: "lit-table" },
    h("caption", { class: "sr", text: `${chart.title}: column ${roll.column}, row ${row}` }),
    h("thead", {}, h("tr", {}, chart.columns.map((name, i) => shown(name, i) && h(i ? "th" : "td", { ...(i && { scope: "col" }), class: lit(i), text: name })))),
    h("tbody", {}, chart.rows.map((cells) => h(
      "tr",
      { class: String(cells[0]) === row ? "landed" : "" },
      cells.map((cell, i) => shown(cell, i) && h(i ? "td" : "th", {
        ...(i === 0 && { scope: "row" }),
        class: lit(i),
      }, i === 0 && String(cell) === row && roll.faces?.length === 1 ? dieFace(roll.faces[0], roll.sides?.[0] ?? 6) : brief(cell, i))),
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
  const line = (/** @type {Entry} */ entry, /** @type {number} */ at) => {
    if (entry.kind === "event" && !RESULT.test(plain(entry.text))) return h("li", { class: "came", text: capital(plain(entry.text)) });
    if (entry.kind !== "rolled") return null;
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
    // Some of its dice are thrown again: what they come to is told by what follows.
    const again = entries.some((other, i) => i !== at && other.column === entry.column && other.faces?.length !== entry.faces?.length);
    const row = again ? undefined : rowOf(chart, entry);
    return h(
      "li",
      { class: "read" },
      h("p", { class: "odds" }, "Column ", h("strong", { text: entry.column }), " ", ruleChip(entry.rule)),
      (entry.lines ?? []).length > 0 && h("dl", { class: "shifts" }, (entry.lines ?? []).map(([what, value, rule]) => h("div", {}, h("dt", {}, capital(what), " ", ruleChip(rule)), h("dd", { text: value })))),
      row && entry.faces?.length !== 1 && h("p", { class: "shot" }, dice, h("span", { text: capital(entry.purpose ?? "") })),
      litTable(chart, entry, String(row?.[0] ?? "")),
      row && h("p", { class: "read-result", text: resultWords(charts, cellOf(charts, entry), attacker, defender, you) }),
    );
  };
  const losses = (passage.losses ?? []).map(([unit, side, lost, gone]) => h("li", { class: `side-${app.sideOf(side)}` }, h("span", { class: "side-mark" }), gone ? `${unit} eliminated` : `${unit} loses ${steps(lost)}`));
  // Where the steps have each loss by name, they need not be listed once more.
  const told = (passage.losses ?? []).every(([unit]) => entries.some(({ kind, text }) => kind === "event" && text.includes(unit) && LOSS.test(text)));
  return [
    h("ol", { class: "fight-steps" }, entries.map(line)),
    losses.length > 0 && !told && h("ul", { class: "fight-losses" }, losses),
  ];
}

/** What the table has said last, in words. @param {import("./types.js").App} app @param {Chart[]} charts @param {Passage} passage @param {Entry[]} entries */
export function verdict(app, charts, passage, entries) {
  const cell = cellOf(charts, entries.findLast((entry) => entry.column));
  const defender = app.live?.sides.find((side) => side !== passage.side) ?? "";
  return cell && resultWords(charts, cell, passage.side ?? "", defender, app.live?.you ?? []);
}

/**
 * Whose losses are not all chosen yet, and how many are left.
 * @param {import("./types.js").App} app @param {Chart[]} charts @param {Passage} passage @param {Entry[]} entries
 */
export function lossesLeft(app, charts, passage, entries) {
  const roll = entries.findLast((entry) => entry.column);
  const costs = costsOf(charts, cellOf(charts, roll));
  if (!costs) return [];
  const sides = [passage.side ?? "", app.live?.sides.find((side) => side !== passage.side) ?? ""];
  return sides.flatMap((side, i) => {
    const due = costs.lost[i] ?? 0;
    const lost = (passage.losses ?? []).filter(([, of]) => of === side).reduce((sum, [, , count]) => sum + count, 0);
    const who = app.live?.you.length === 1 && app.live.you.includes(side) ? "You" : side;
    return due > lost ? [`${who} must still choose ${steps(due - lost)}${lost > 0 ? ` of ${due}` : ""}.`] : [];
  });
}

/** What a table says to a roll. @param {Chart[]} charts @param {Entry|undefined} roll */
function cellOf(charts, roll) {
  const chart = chartWith(charts, roll?.column);
  return String(rowOf(chart, roll)?.[chart?.columns.indexOf(roll?.column ?? "") ?? 0] ?? "");
}
