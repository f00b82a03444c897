/** The map: its drawing, and where every hex and box lies on it. */

import { board as askBoard, drawing as askDrawing } from "./api.js";
import { h, s } from "./dom.js";

/** @typedef {{x: number, y: number}} Point */

/** Numbers of hexes as maps print them: "2217", "V41", "AA12"; and where they stand alone. */
const CODE = /\b(?:\d{4}|[A-Z]{1,2}\d{2})\b/g;
const ALONE = /(?<![\w(/])(?:\d{4}|[A-Z]{1,2}\d{2})(?![\w/])/g;

/**
 * Loads the drawing of a game's map and what is known of its hexes.
 * @param {{key: string, map: string, style: string}} game
 */
export async function loadAtlas(game) {
  const styled = new Promise((done) => document.head.append(h("link", {
    rel: "stylesheet",
    href: game.style,
    onload: done,
    onerror: done,
  })));
  const [data, text] = await Promise.all([askBoard(game.key), askDrawing(game.map), styled]);
  return makeAtlas(data, text);
}

/** What the drawing shows around the map: taken off the sheet, for a page of its own. */
function takeLegend(/** @type {SVGElement} */ drawing) {
  const legend = drawing.querySelector("#layer-legend");
  legend?.remove();
  return legend;
}

/** @param {import("./types.js").BoardData} data @param {string} text */
function makeAtlas(data, text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const drawing = /** @type {any} */ (document.importNode(parsed.documentElement, true));
  const legend = takeLegend(drawing);
  drawing.setAttribute("data-theme", document.documentElement.dataset.theme ?? "light");
  drawing.classList.add("map");

  const hexes = data.hexes;
  const codes = Object.keys(hexes);
  const corners = data.corners;
  const outline = corners.map(([x, y]) => `${x},${y}`).join(" ");
  const radius = Math.max(...corners.map(([x, y]) => Math.hypot(x, y)));
  const boxes = new Map(data.boxes.filter((box) => box.w).map((box) => [box.name, box]));
  const boxTitles = new Map(data.boxes.map((box) => [(box.title ?? box.name).toLowerCase(), box.name]));
  const cells = bins(hexes, radius);
  const xs = codes.map((code) => hexes[code].x);
  const ys = codes.map((code) => hexes[code].y);
  const edge = 1.7 * radius;
  const frame = {
    left: Math.min(...xs) - edge,
    top: Math.min(...ys) - edge,
    right: Math.max(...xs) + edge,
    bottom: Math.max(...ys) + edge,
  };
  for (const box of boxes.values()) {
    frame.left = Math.min(frame.left, box.x ?? 0);
    frame.top = Math.min(frame.top, box.y ?? 0);
    frame.right = Math.max(frame.right, (box.x ?? 0) + (box.w ?? 0));
    frame.bottom = Math.max(frame.bottom, (box.y ?? 0) + (box.h ?? 0));
  }

  // The sheet ends where the map and its boxes end.
  const margin = boxes.size > 0 ? 10 : 0;
  const view = {
    left: frame.left - margin,
    top: frame.top - margin,
    width: frame.right - frame.left + 2 * margin,
    height: frame.bottom - frame.top + 2 * margin,
  };
  drawing.setAttribute("viewBox", `${view.left} ${view.top} ${view.width} ${view.height}`);
  drawing.setAttribute("width", view.width);
  drawing.setAttribute("height", view.height);

  return {
    drawing,
    legend,
    view,
    frame,
    radius,
    overlays: data.overlays ?? [],
    boxes,
    /** The box that a unit is in, if its place is one. @param {string|null|undefined} where */
    boxOf: (where) => (where ? (boxes.has(where) ? where : boxTitles.get(where.toLowerCase())) : undefined),
    has: (/** @type {string} */ code) => code in hexes,
    hex: (/** @type {string} */ code) => hexes[code],
    /** The middle of a hex or box. @param {string} code @returns {Point|null} */
    centre(code) {
      if (hexes[code]) return hexes[code];
      const box = boxes.get(code);
      return box ? { x: (box.x ?? 0) + (box.w ?? 0) / 2, y: (box.y ?? 0) + (box.h ?? 0) / 2 } : null;
    },
    /** The hex under a point of the map. @param {number} x @param {number} y */
    hexAt(x, y) {
      let best = null;
      let near = radius * radius;
      for (const code of cells(x, y)) {
        const apart = (hexes[code].x - x) ** 2 + (hexes[code].y - y) ** 2;
        if (apart < near) [near, best] = [apart, code];
      }
      return best;
    },
    /** Of the hexes of a place the one nearest to a point. @param {string} place @param {Point} at @returns {string|null} */
    nearest(place, at) {
      const far = (/** @type {string} */ code) => Math.hypot(hexes[code].x - at.x, hexes[code].y - at.y);
      const own = codes.filter((code) => hexes[code].place === place);
      return own.reduce((best, code) => (far(code) < far(best) ? code : best), own[0]) ?? null;
    },
    /** A shape that covers a hex or a box. @param {string} code @param {Record<string, any>} props @param {number} scale */
    shape(code, props = {}, scale = 1) {
      const at = hexes[code];
      if (at) return s("polygon", {
        points: outline,
        transform: `translate(${at.x} ${at.y}) scale(${scale})`,
        ...props,
      });
      const box = boxes.get(code);
      return s("rect", { x: box?.x, y: box?.y, width: box?.w, height: box?.h, rx: 5, ...props });
    },
    /** One path around all these hexes, side by side. @param {Iterable<string>} wanted */
    area(wanted) {
      let path = "";
      for (const code of wanted) {
        const at = hexes[code];
        if (at) path += `M${corners.map(([x, y]) => `${(at.x + x).toFixed(1)} ${(at.y + y).toFixed(1)}`).join("L")}Z`;
      }
      return path;
    },
    /** A text in which hexes have the names of their places. @param {string} text */
    named: (text) => text.replace(ALONE, (code) => (hexes[code]?.place ? `${hexes[code].place} (${code})` : code)),
    /** The first hex that a text names. @param {string} text */
    firstIn: (text) => (text.match(CODE) ?? []).find((code) => code in hexes) ?? null,
    /** What a hex is, in words. @param {string} code */
    about(code) {
      const at = hexes[code];
      if (!at) return boxes.get(code)?.title ?? code;
      return [at.place, code, at.terrain].filter(Boolean).join(", ");
    },
  };
}

/** Hexes by square of the map, so that a point need not be compared with all of them. */
function bins(/** @type {Record<string, Point>} */ hexes, /** @type {number} */ size) {
  /** @type {Map<string, string[]>} */
  const kept = new Map();
  const step = size * 2;
  for (const [code, { x, y }] of Object.entries(hexes)) {
    const key = `${Math.floor(x / step)},${Math.floor(y / step)}`;
    kept.set(key, [...(kept.get(key) ?? []), code]);
  }
  return function* (/** @type {number} */ x, /** @type {number} */ y) {
    const column = Math.floor(x / step);
    const row = Math.floor(y / step);
    for (let i = column - 1; i <= column + 1; i += 1)
      for (let j = row - 1; j <= row + 1; j += 1) yield* kept.get(`${i},${j}`) ?? [];
  };
}

/** @typedef {ReturnType<typeof makeAtlas>} Atlas */
