/** Counters and markers on the map: stacks, boxes, and stacks that fan out. */

import { SIZE, drawCounter, drawMarker, unitWords } from "./counters.js";
import { s } from "./dom.js";
import { grouped } from "./menu.js";
import { makeNames } from "./names.js";
import { strength } from "./strength.js";

const LEAST_FAN = 46;
const SHOWN = 4;

/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {{unit: Unit, key: string, element: any, print: string}} Piece */

/**
 * @param {Record<string, any>} layers  the groups for counters, names, markers and fans
 * @param {import("./atlas.js").Atlas} atlas
 */
export function makePieces(layers, atlas) {
  const { counters: layer, markers: markerLayer, fan: fanLayer } = layers;
  /** @type {Map<string, Piece>} */
  let pieces = new Map();
  /** @type {Map<string, Unit[]>} */
  let stacks = new Map();
  /** @type {string[]} */
  let sides = [];
  let fanned = "";
  let glowing = new Set();
  /** The hexes that can be chosen: a counter there hides most of their glow. @type {Set<string>} */
  let reach = new Set();
  /** @type {Set<string>} */
  let picked = new Set();
  /** The units that are moving just now. @type {Set<string>} */
  let moving = new Set();

  const names = makeNames(layers.names, atlas);
  const sideOf = (/** @type {string|null} */ side) => sides.indexOf(side ?? "");
  const placeOf = (/** @type {Unit} */ unit) => unit.hex ?? atlas.boxOf(unit.where) ?? null;

  /** Draws what has changed and moves what has moved. */
  const show = (
    /** @type {Unit[]} */ units,
    /** @type {import("./types.js").Marker[]} */ markers,
    /** @type {string[]} */ ofSides,
    /** @type {string[]} */ onTheMove,
  ) => {
    sides = ofSides;
    moving = new Set(onTheMove);
    const seen = new Map();
    const here = units.filter((unit) => placeOf(unit) !== null);
    stacks = grouped(here, (unit) => placeOf(unit) ?? "");
    for (const [place, stack] of stacks) {
      stack.forEach((unit, index) => {
        const key = unit.name === "?" ? `?${place}.${index}` : unit.name;
        const { hex: _hex, ...rest } = unit;
        const print = JSON.stringify(rest);
        let piece = pieces.get(key);
        if (piece?.print !== print) {
          const element = drawCounter(unit, sideOf(unit.side));
          if (piece) piece.element.replaceWith(element);
          else layer.append(element);
          piece = { unit, key, element, print };
        }
        piece.unit = unit;
        seen.set(key, piece);
      });
    }
    for (const [key, piece] of pieces) if (!seen.has(key)) piece.element.remove();
    pieces = seen;
    for (const [place, stack] of stacks) arrange(place, stack);
    names.show([...stacks.keys()], new Set(markers.map(({ hex }) => hex)));
    markerLayer.replaceChildren(...placeMarkers(markers));
    dress();
    if (fanned) openFan(fanned, true);
  };

  /** Lays a stack out in its hex, or in rows in its box. */
  const arrange = (/** @type {string} */ place, /** @type {Unit[]} */ stack) => {
    const box = atlas.boxes.get(place);
    const centre = atlas.centre(place);
    if (!centre) return;
    const bySide = grouped(stack, (unit) => unit.side);
    let column = 0;
    for (const [, same] of bySide) {
      const aside = bySide.size > 1 ? (column - (bySide.size - 1) / 2) * 15 : 0;
      same.forEach((unit, index) => {
        const piece = pieceOf(unit, stack.indexOf(unit), place);
        if (!piece) return;
        let at;
        if (box) at = inBox(box, stack.indexOf(unit), stack.length);
        else {
          const depth = Math.min(index, same.length - 1) - Math.max(0, same.length - SHOWN);
          const step = Math.min(2.6, 6 / Math.max(1, Math.min(same.length, SHOWN) - 1));
          const offset = (Math.max(0, depth) - (Math.min(same.length, SHOWN) - 1) / 2) * step;
          at = { x: centre.x + offset + aside, y: centre.y - offset, scale: 1 };
        }
        piece.element.style.transform = `translate(${at.x}px, ${at.y}px)${at.scale === 1 ? "" : ` scale(${at.scale})`}`;
        const top = index === same.length - 1;
        piece.element.classList.toggle("under", !top && !box);
        if (!box) layer.append(piece.element);
        piece.element.querySelector(".stack-count")?.remove();
        if (top && same.length > 1 && !box) piece.element.append(stackCount(same));
      });
      column += 1;
    }
  };

  const pieceOf = (/** @type {Unit} */ unit, /** @type {number} */ index, /** @type {string} */ place) =>
    pieces.get(unit.name === "?" ? `?${place}.${index}` : unit.name);

  const placeMarkers = (/** @type {import("./types.js").Marker[]} */ markers) => {
    /** @type {Element[]} */
    const drawn = [];
    for (const [hex, same] of grouped(markers, (marker) => marker.hex)) {
      const centre = atlas.centre(hex);
      if (!centre) continue;
      same.forEach((marker, index) => {
        // In the lower right of the hex; below the counters where there are any.
        const small = stacks.has(hex);
        const element = drawMarker(marker, sideOf(marker.side), small);
        const [x, y] = small ? [8 - index * 19, 20] : [14 - index * 12, 15];
        element.style.transform = `translate(${centre.x + x}px, ${centre.y + y}px)`;
        element.setAttribute("data-hex", hex);
        drawn.push(element);
      });
    }
    return drawn;
  };

  /** Shows which units can be ordered, and which one is picked. */
  const dress = () => {
    for (const piece of pieces.values()) dressOne(piece.element, piece.unit);
    for (const element of fanLayer.querySelectorAll(".counter")) {
      const unit = pieces.get(element.dataset.unit)?.unit;
      if (unit) dressOne(element, unit);
    }
  };
  const dressOne = (/** @type {any} */ element, /** @type {Unit} */ unit) => {
    const glows = glowing.has(unit.name);
    element.classList.toggle("glows", glows);
    element.classList.toggle("in-reach", !glows && reach.has(unit.hex ?? ""));
    element.classList.toggle("picked", picked.has(unit.name));
    element.classList.toggle("on-the-move", moving.has(unit.name));
    if (glows) {
      element.setAttribute("tabindex", "0");
      element.setAttribute("role", "button");
      element.setAttribute("aria-label", unitWords(unit));
    } else {
      element.removeAttribute("tabindex");
      element.setAttribute("role", "img");
      element.setAttribute("aria-label", unitWords(unit));
    }
  };

  /** Spreads a stack above its hex, large enough to read and to touch. */
  const openFan = (/** @type {string} */ place, again = false) => {
    const stack = stacks.get(place) ?? [];
    const centre = atlas.centre(place);
    if ((fanned === place && !again) || !centre) return;
    closeFan();
    if (stack.length < 2 || atlas.boxes.has(place)) return;
    fanned = place;
    const scale = Math.max(1.12, LEAST_FAN / (SIZE * fanScale()));
    const columns = Math.min(stack.length, 5);
    const rows = Math.ceil(stack.length / columns);
    const pitch = (SIZE + 6) * scale;
    const [width, height] = [columns * pitch + 8 * scale, rows * pitch + 10 * scale];
    const back = s("rect", { class: "fan-back", x: -width / 2, y: -height / 2, width, height, rx: 7 * scale });
    const group = s("g", { class: "fan", "data-hex": place }, back);
    stack.forEach((unit, index) => {
      const x = ((index % columns) - (Math.min(
        columns,
        stack.length - Math.floor(index / columns) * columns,
      ) - 1) / 2) * pitch;
      const y = (Math.floor(index / columns) - (rows - 1) / 2) * pitch + 1.5 * scale;
      const element = drawCounter(unit, sideOf(unit.side));
      element.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
      dressOne(element, unit);
      group.append(element);
    });
    group.setAttribute("transform", `translate(${centre.x} ${centre.y})`);
    fanLayer.append(group);
    layer.classList.add("has-fan");
  };
  const closeFan = () => {
    fanned = "";
    fanLayer.replaceChildren();
    layer.classList.remove("has-fan");
  };

  /** @type {Set<Animation>} */
  const gliding = new Set();
  /**
   * Moves a counter along some points, and leaves it at the last one until the next state is drawn.
   * @param {string} name @param {{x: number, y: number}[]} points @param {number} ms
   */
  const glide = async (name, points, ms) => {
    const element = pieces.get(name)?.element;
    const end = points.at(-1);
    if (!element || !end || points.length < 2) return;
    layer.append(element);
    const stops = points.map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
    const run = element.animate(stops, { duration: ms, easing: "ease-in-out" });
    gliding.add(run);
    await run.finished;
    gliding.delete(run);
    // There already: the style sheet must not let it glide a second time.
    element.style.transition = "none";
    element.style.transform = `translate(${end.x}px, ${end.y}px)`;
    element.getBoundingClientRect();
    element.style.transition = "";
  };

  let fanScale = () => 1;
  return {
    glide,
    stopGlides() {
      for (const run of gliding) run.finish();
    },
    show,
    openFan,
    closeFan,
    fanned: () => fanned,
    /** @param {() => number} scale */
    scaleBy(scale) {
      fanScale = scale;
    },
    /** @param {Set<string>} units @param {Set<string>} chosen @param {Set<string>} hexes  that can be chosen */
    glow(units, chosen, hexes = new Set()) {
      [glowing, picked, reach] = [units, chosen, hexes];
      dress();
    },
    stack: (/** @type {string} */ place) => stacks.get(place) ?? [],
    unit: (/** @type {string} */ name) => pieces.get(name)?.unit ?? null,
    element: (/** @type {string} */ name) => pieces.get(name)?.element ?? null,
    placeOf,
    /** The hex or box in which the unit of this name stands. @param {string|null} name */
    place(name) {
      const unit = pieces.get(name ?? "")?.unit;
      return unit ? placeOf(unit) : null;
    },
    sideOf,
  };
}

/** How many units there are, and what they have together of the first factor, which is the one to fight with. */
function stackCount(/** @type {Unit[]} */ units) {
  const sum = Object.values(strength(units))[0];
  const width = sum === undefined ? 0 : 5 + 4.4 * String(sum).length;
  return s(
    "g",
    { class: "stack-count", transform: "translate(-15 -15)" },
    sum !== undefined && s("rect", { class: "stack-strength", x: 0, y: -4.4, width: width + 4, height: 8.8, rx: 2.4 }),
    sum !== undefined && s("text", { class: "stack-sum", x: 5 + width / 2, y: 2.5, text: String(sum) }),
    s("circle", { r: 5 }),
    s("text", { y: 2.4, text: String(units.length) }),
  );
}

/** Where counter number `index` of `count` stands in a box. */
function inBox(/** @type {any} */ box, /** @type {number} */ index, /** @type {number} */ count) {
  const [left, top, width, height] = [box.x + 5, box.y + 20, box.w - 10, box.h - 24];
  let scale = 1;
  let columns = 1;
  for (; scale > 0.2; scale -= 0.04) {
    columns = Math.max(1, Math.floor(width / ((SIZE + 3) * scale)));
    if (Math.ceil(count / columns) * (SIZE + 5) * scale <= height) break;
  }
  const pitch = (SIZE + 3) * scale;
  return {
    x: left + pitch * ((index % columns) + 0.5),
    y: top + (SIZE + 5) * scale * (Math.floor(index / columns) + 0.5),
    scale: Math.round(scale * 100) / 100,
  };
}

/** @typedef {ReturnType<typeof makePieces>} Pieces */
