/** How it went, by turn: the points of each side, the steps that it has lost so far, its chance to win. */

import { h, s } from "./dom.js";

/** @typedef {import("./types.js").Chapter} Chapter */

const WIDTH = 300;
const HEIGHT = 110;
const EDGE = { left: 26, right: 8, top: 8, bottom: 18 };

/** The last chapter of each turn. @param {Chapter[]} chapters */
const byTurn = (chapters) => [...new Map(chapters.map((chapter) => [chapter.title, chapter])).values()];

/** By turn: the steps that a side has lost since the beginning. @param {Chapter[]} chapters @param {string} side */
function lostSoFar(chapters, side) {
  let sum = 0;
  const found = new Map();
  for (const chapter of chapters) {
    sum += chapter.lost[side] ?? 0;
    found.set(chapter.title, sum);
  }
  return [...found.values()];
}

/**
 * One small chart: a line a side, and the numbers as a table for those who do not see it.
 * @param {string} title @param {string[]} turns @param {{side: string, number: number, values: number[]}[]} lines
 * @param {number} [least]  that the scale reaches up to
 */
function chart(title, turns, lines, least = 1) {
  const all = lines.flatMap(({ values }) => values);
  const [low, high] = [Math.min(0, ...all), Math.max(least, ...all)];
  const x = (/** @type {number} */ i) => EDGE.left + (WIDTH - EDGE.left - EDGE.right) * (turns.length > 1 ? i / (turns.length - 1) : 0.5);
  const y = (/** @type {number} */ value) => HEIGHT - EDGE.bottom - (HEIGHT - EDGE.top - EDGE.bottom) * ((value - low) / (high - low));
  const label = (/** @type {number} */ i) => (/^\d/.test(turns[i]) ? String(i + 1) : turns[i].slice(0, 3));
  const every = Math.ceil(turns.length / 9);
  return h(
    "figure",
    { class: "graph" },
    h("figcaption", {}, title, lines.map(({ side, number }) => h("span", { class: `graph-key side-${number}` }, h("span", { class: "side-mark" }), side))),
    s(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" },
      [low, high].map((value) => [
        s("line", { class: "graph-rule", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(value), y2: y(value) }),
        s("text", { class: "graph-number", x: EDGE.left - 4, y: y(value) + 3, "text-anchor": "end", text: String(value) }),
      ]),
      turns.map((_, i) => i % every === 0 && s("text", { class: "graph-number", x: x(i), y: HEIGHT - 5, "text-anchor": "middle", text: label(i) })),
      lines.map(({ number, values }) => [
        s("polyline", { class: `graph-line side-${number}`, points: values.map((value, i) => `${x(i)},${y(value)}`).join(" ") }),
        values.map((value, i) => s("circle", { class: `graph-dot side-${number}`, cx: x(i), cy: y(value), r: 2.4 })),
      ]),
    ),
    h(
      "table",
      { class: "sr" },
      h("thead", {}, h("tr", {}, h("th", { text: "Turn" }), lines.map(({ side }) => h("th", { scope: "col", text: side })))),
      h("tbody", {}, turns.map((turn, i) => h("tr", {}, h("th", { scope: "row", text: turn }), lines.map(({ values }) => h("td", { text: String(values[i]) }))))),
    ),
  );
}

/** The graphs of a match. @param {Chapter[]} chapters @param {string[]} sides */
export function graphs(chapters, sides) {
  const last = byTurn(chapters);
  const turns = last.map((chapter) => chapter.title);
  if (turns.length === 0) return [];
  const scored = last.every((chapter) => sides.every((side) => side in chapter.points));
  /** Whose chances are known: one's own, or none. */
  const known = sides.filter((side) => last.every((chapter) => side in chapter.chances));
  const percent = (/** @type {Chapter} */ { chances }, /** @type {string} */ side) => Math.round(100 * chances[side]);
  return [
    scored && chart("Points", turns, sides.map((side, number) => ({ side, number, values: last.map((chapter) => chapter.points[side]) }))),
    chart("Steps lost", turns, sides.map((side, number) => ({ side, number, values: lostSoFar(chapters, side) }))),
    known.length > 0 && chart("Chance to win, in per cent", turns, known.map((side) => ({
      side,
      number: sides.indexOf(side),
      values: last.map((chapter) => percent(chapter, side)),
    })), 100),
  ].filter((figure) => figure !== false);
}
