/** What is drawn over the map for the player: options, aims, battles, overlays, changes. */

import { fill, s } from "./dom.js";
import { TEXT } from "./menu.js";

/** @typedef {import("./board.js").Board} Board */

/**
 * Hexes and boxes that can be chosen, each a button of its own.
 * @param {Board} board
 * @param {import("./menu.js").Menu|null} menu
 */
export function showOptions(board, menu) {
  const { atlas, layers, pieces } = board;
  if (!menu) {
    fill(layers.glow);
    pieces.glow(new Set(), new Set());
    return;
  }
  const shapes = [];
  const many = menu.byHex.size > 12;
  for (const [hex, options] of menu.byHex) {
    if (!atlas.centre(hex)) continue;
    const words = options.length === 1 ? options[0][TEXT] : `${options.length} orders`;
    shapes.push(
      atlas.shape(
        hex,
        {
          class: menu.matrix ? "option faint" : many ? "option many" : "option",
          "data-hex": hex,
          role: "button",
          tabindex: menu.matrix ? -1 : 0,
          "aria-label": `${words}. ${atlas.about(hex)}`,
        },
        // A little smaller than the hex: neighbours that glow stay apart.
        0.93,
      ),
    );
  }
  // From the top left to the bottom right, so that Tab wanders like a reader's eye.
  shapes.sort((a, b) => order(board, a) - order(board, b));
  fill(layers.glow, shapes);
}

function order(/** @type {Board} */ board, /** @type {any} */ shape) {
  const at = board.atlas.centre(shape.dataset.hex);
  return at ? Math.round(at.y / board.atlas.radius) * 1e5 + at.x : 0;
}

/**
 * The way of a move with its cost at the end, or a ring around what is aimed at.
 * @param {Board} board
 * @param {{path?: string[], cost?: string, hex?: string|null, from?: string|null}|null} aim
 */
export function showAim(board, aim) {
  const { atlas, layers } = board;
  if (!aim) {
    fill(layers.path);
    fill(layers.aim);
    return;
  }
  const points = (aim.path ?? []).map((code) => atlas.centre(code)).filter((point) => point !== null);
  const way = [];
  const drawn = [];
  if (points.length > 1) {
    const line = points.map(({ x, y }) => `${x},${y}`).join(" ");
    way.push(s("polyline", { class: "path-case", points: line }), s("polyline", { class: "path", points: line }));
    for (const { x, y } of points.slice(1, -1)) way.push(s("circle", { class: "path-step", cx: x, cy: y, r: 2.6 }));
  }
  const end = aim.hex ? atlas.centre(aim.hex) : null;
  if (aim.hex && end) {
    drawn.push(atlas.shape(aim.hex, { class: "aimed" }));
    if (aim.cost) drawn.push(costTag(aim.cost, end, atlas.radius));
  }
  fill(layers.path, way);
  fill(layers.aim, drawn);
}

/** How far an arrow keeps from the middle of the hex where it ends, as a part of the last step. */
const SHORT = 0.5;

/**
 * An arrow along a way, in the colour of who went it; none if less than two of its places are on the map.
 * @param {import("./atlas.js").Atlas} atlas @param {string[]} path @param {number} side
 */
export function arrow(atlas, path, side) {
  const points = path.map((code) => atlas.centre(code)).filter((point) => point !== null);
  if (points.length < 2) return null;
  const [before, end] = points.slice(-2);
  const apart = Math.hypot(end.x - before.x, end.y - before.y);
  // Half a hex before the middle, however long the last step is.
  const part = Math.min(SHORT, (SHORT * 1.8 * atlas.radius) / apart);
  points[points.length - 1] = { x: end.x + (before.x - end.x) * part, y: end.y + (before.y - end.y) * part };
  const line = points.map(({ x, y }) => `${x},${y}`).join(" ");
  return s(
    "g",
    { class: `trail-way side-${side}`, "data-way": path.join(" ") },
    s("polyline", { class: "trail-case", points: line }),
    s("polyline", { class: "trail-line", points: line, "marker-end": "url(#trail-head)" }),
  );
}

function costTag(/** @type {string} */ cost, /** @type {{x: number, y: number}} */ at, /** @type {number} */ radius) {
  const width = cost.length * 5.1 + 10;
  return s(
    "g",
    { class: "cost-tag", transform: `translate(${at.x} ${at.y - radius * 0.98})` },
    s("rect", { x: -width / 2, y: -8, width, height: 14, rx: 7 }),
    s("text", { y: 2.6, text: cost }),
  );
}

/** The battle under way: the hex attacked, and an arrow from each attacker. */
export function showBattle(/** @type {Board} */ board, /** @type {any} */ battle) {
  const { atlas, layers, pieces } = board;
  /** Several hexes may be attacked at once; the arrows go to the nearest. @type {string[]} */
  const targets = battle?.hexes ?? (battle?.hex ? [battle.hex] : []);
  const spots = targets.map((hex) => atlas.centre(hex)).filter((spot) => spot !== null);
  if (spots.length === 0) {
    fill(layers.battle);
    return;
  }
  const from = new Set((battle.attackers ?? []).map((/** @type {string} */ name) => pieces.unit(name)?.hex).filter(Boolean));
  const drawn = targets.filter((hex) => atlas.has(hex)).map((hex) => atlas.shape(hex, { class: "battle-hex" }));
  for (const code of from) {
    const start = atlas.centre(code);
    if (!start || targets.includes(code)) continue;
    const far = (/** @type {{x: number, y: number}} */ spot) => Math.hypot(spot.x - start.x, spot.y - start.y);
    const target = spots.reduce((one, other) => (far(other) < far(one) ? other : one));
    const part = (/** @type {number} */ share) => `${start.x + (target.x - start.x) * share} ${start.y + (target.y - start.y) * share}`;
    drawn.push(s("path", {
      class: "battle-arrow",
      d: `M${part(0.3)}L${part(0.72)}`,
      "marker-end": "url(#arrow-head)",
    }));
  }
  fill(layers.battle, drawn);
}

/**
 * Sets of hexes: each one path in the colour of its side, and with a weave of its own where there are several.
 * @param {Board} board @param {{hexes: string[], side: number}[]} areas
 */
export function showAreas(board, areas) {
  fill(board.layers.overlay, areas.map(({ hexes, side }, index) => {
    const path = board.atlas.area(hexes);
    if (!path) return null;
    // The pattern stands where the colour of the side is known.
    const weave = s(
      "pattern",
      { id: `weave-${index}`, width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${45 * index})` },
      s("path", { class: "weave", d: index % 2 ? "M0 2H8M0 6H8" : "M4 0V8" }),
    );
    return s(
      "g",
      { class: `area-of side-${side}` },
      index > 0 && s("defs", {}, weave),
      s("path", { class: `area side-${side}${index > 0 ? " woven" : ""}`, d: path, fill: index > 0 && `url(#weave-${index})` }),
    );
  }));
}

/**
 * Where something changed since this player's last turn, and from where units came there.
 * @param {Board} board @param {string[]} hexes @param {{way: string[], side: number}[]} came
 */
export function showChanged(board, hexes, came) {
  const { atlas, layers } = board;
  const known = [...new Set(hexes)].filter((code) => atlas.centre(code));
  const origins = new Map(came.filter(({ way }) => atlas.has(way[0])).map(({ way, side }) => [way[0], side]));
  fill(
    layers.changed,
    known.map((code) => atlas.shape(code, { class: "changed" })),
    [...origins].map(([code, side]) => atlas.shape(code, { class: `vacated side-${side}` }, 0.9)),
    came.map(({ way, side }) => arrow(atlas, way, side)),
  );
}

/** A short flash where something has just happened. */
export function flash(/** @type {Board} */ board, /** @type {string} */ hex) {
  if (!board.atlas.centre(hex)) return;
  const ring = board.atlas.shape(hex, { class: "flash" });
  board.layers.flash.append(ring);
  setTimeout(() => ring.remove(), 1400);
}
