/** The board: map, overlays, glowing options, pieces; and what a hand does on it. */

import { makeCamera } from "./camera.js";
import { find, h, iconButton, later, s } from "./dom.js";
import { makePieces } from "./pieces.js";

/**
 * Who is told what a hand does on the board.
 * @typedef {object} Hearer
 * @property {(name: string, event: Event) => void} unit
 * @property {(code: string, event: Event) => void} hex
 * @property {() => void} nothing
 * @property {(at: {hex: string|null, unit: string|null}) => void} hover
 * @property {(unit: string) => boolean} fans  whether the stack of this unit is to be spread out: one of it is asked for
 * @property {() => void} home
 */

/**
 * @param {HTMLElement} window_  the element that shows the map
 * @param {import("./atlas.js").Atlas} atlas
 * @param {() => any} insets
 * @param {Hearer} hear
 */
export function makeBoard(window_, atlas, insets, hear) {
  const { left, top, width, height } = atlas.view;
  const layer = (/** @type {string} */ name, props = {}) => s("g", { class: name, ...props });
  const layers = {
    overlay: layer("overlay-layer"),
    changed: layer("changed-layer"),
    trail: layer("trail-layer"),
    glow: layer("glow-layer"),
    battle: layer("battle-layer"),
    path: layer("path-layer"),
    counters: layer("counter-layer"),
    names: layer("name-layer", { "aria-hidden": "true" }),
    markers: layer("marker-layer"),
    aim: layer("aim-layer"),
    flash: layer("flash-layer"),
    fan: layer("fan-layer"),
  };
  const drawing = s("svg", {
    class: "pieces",
    viewBox: `${left} ${top} ${width} ${height}`,
    width,
    height,
    role: "group",
    "aria-label": "Units and orders on the map",
  });
  drawing.append(arrowHead(), ...Object.values(layers));
  const world = h("div", { class: "world" }, h("div", { class: "sheet" }, atlas.drawing), drawing);
  world.style.width = `${width}px`;
  world.style.height = `${height}px`;
  window_.prepend(world);

  const camera = makeCamera(window_, world, atlas, insets);
  const pieces = makePieces(layers, atlas);
  pieces.scaleBy(camera.scale);

  window_.append(
    h(
      "div",
      { class: "board-tools over-board", role: "group", "aria-label": "Zoom" },
      iconButton("plus", "Zoom in (+)", () => camera.zoom(1.4)),
      iconButton("minus", "Zoom out (-)", () => camera.zoom(1 / 1.4)),
      iconButton("fit", "Whole map (0)", () => camera.fit()),
      iconButton("home", "My units (H)", hear.home),
    ),
  );
  const pointed = (/** @type {MouseEvent} */ event) => {
    const target = /** @type {Element} */ (event.target);
    const box = window_.getBoundingClientRect();
    const at = camera.onMap(event.clientX - box.left, event.clientY - box.top);
    const unit = target.closest?.("[data-unit]")?.getAttribute("data-unit") ?? null;
    const hex = target.closest?.("[data-hex]")?.getAttribute("data-hex") ?? atlas.hexAt(at.x, at.y) ?? boxAt(atlas, at);
    return { unit, hex };
  };

  drawing.addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const { unit, hex } = pointed(event);
    if (unit && unit !== "?") hear.unit(unit, event);
    else if (hex) hear.hex(hex, event);
    else hear.nothing();
  });
  find(".sheet", world).addEventListener("click", () => hear.nothing());
  window_.addEventListener("click", (event) => {
    if (event.target === window_) hear.nothing();
  });

  listenToHover(window_, pieces, pointed, hear);
  return { atlas, camera, pieces, layers, world, drawing };
}

function boxAt(/** @type {import("./atlas.js").Atlas} */ atlas, /** @type {{x: number, y: number}} */ at) {
  for (const [name, { x = 0, y = 0, w = 0, h: height = 0 }] of atlas.boxes)
    if (at.x >= x && at.x <= x + w && at.y >= y && at.y <= y + height) return name;
  return null;
}

function arrowHead() {
  const head = s("marker", {
    id: "arrow-head",
    viewBox: "0 0 10 10",
    refX: 6,
    refY: 5,
    markerWidth: 3.2,
    markerHeight: 3.2,
    orient: "auto",
  });
  head.append(s("path", { class: "arrow-head", d: "M0 0L10 5L0 10z" }));
  const trail = /** @type {Element} */ (head.cloneNode(true));
  trail.id = "trail-head";
  trail.setAttribute("markerWidth", "2.6");
  trail.setAttribute("markerHeight", "2.6");
  trail.firstElementChild?.setAttribute("class", "trail-head");
  return s("defs", {}, head, trail);
}

/** Reports what lies under the pointer, and fans a stack out a moment later if one of it is asked for. */
function listenToHover(
  /** @type {HTMLElement} */ window_,
  /** @type {import("./pieces.js").Pieces} */ pieces,
  /** @type {(event: MouseEvent) => {unit: string|null, hex: string|null}} */ pointed,
  /** @type {Hearer} */ { hover: report, fans },
) {
  let last = "";
  const fan = later((/** @type {string} */ hex) => pieces.openFan(hex), 260);
  const fold = later(() => pieces.closeFan(), 200);
  window_.addEventListener("pointermove", (event) => {
    if (event.pointerType === "touch" || event.buttons) return;
    const covered = /** @type {Element} */ (event.target).closest(".over-board");
    const at = covered ? { unit: null, hex: null } : pointed(event);
    const key = `${at.hex}|${at.unit}`;
    const stacked = at.unit && at.hex && pieces.stack(at.hex).length > 1 && fans(at.unit);
    if (key === last) {
      // The fan closed with an order: who still points at the stack wants it back.
      if (stacked && !pieces.fanned()) fan(at.hex);
      return;
    }
    last = key;
    report(at);
    const inFan = /** @type {Element} */ (event.target).closest(".fan");
    if (inFan) {
      fan.cancel();
      fold.cancel();
    } else {
      if (pieces.fanned() && pieces.fanned() !== at.hex) fold();
      else fold.cancel();
      if (stacked) fan(at.hex);
      else fan.cancel();
    }
  });
  window_.addEventListener("pointerleave", (event) => {
    // A finger that is lifted has not gone away: what it has opened stays open.
    if (event.pointerType === "touch") return;
    last = "";
    fan.cancel();
    fold();
    report({ hex: null, unit: null });
  });
}

/** @typedef {ReturnType<typeof makeBoard>} Board */
