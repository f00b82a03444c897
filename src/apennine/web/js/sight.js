/** Keeps what can be ordered in sight: moves the map when nothing of it can be seen, and points
 * from the edge of the map at whatever lies out of sight. */

import { find, h, icon, later } from "./dom.js";
import { HEX } from "./menu.js";
import { entries } from "./viewpoint.js";

const CARDS = 300;
const GAP = 8;
const STEP = 26;
/** Half the width of what glows in a hex, as a part of its radius. */
const SPOT = 0.7;
const CHIP = { width: 130, height: 70 };

/** The edges of the map that a chip can lie at, with the words for a place beyond it. */
const EDGES = { top: "above", right: "to the right", bottom: "below", left: "to the left" };

/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, width: number, height: number}} Box */
/** @typedef {{place: string, at: Point}} Spot  a place that can be ordered, and where it is on the screen */

/** @param {import("./types.js").App} app */
export function mountSight(app) {
  const { atlas, camera, pieces } = app.board;
  const board = find("#board");
  let asked = "";
  /** What each chip points at. @type {Map<string, Spot[]>} */
  let beyond = new Map();

  const chips = Object.keys(EDGES).map((edge) =>
    h(
      "button",
      {
        type: "button",
        class: "beyond-chip over-board",
        "data-edge": edge,
        hidden: true,
        onclick: (/** @type {MouseEvent} */ event) => reveal(edge, event.detail === 0),
      },
      icon("arrow"),
      h("span"),
    ),
  );
  board.append(h("div", { class: "beyond", role: "group", "aria-label": "Orders out of sight" }, chips));

  /** Where something glows on the map, on the screen or off it. @param {import("./menu.js").Menu} menu */
  const spots = (menu) => {
    const picked = app.orders.picked() !== null;
    const hexes = menu.matrix ? [] : menu.left.map((option) => option[HEX]);
    const stands = picked ? [] : [...menu.units].map((name) => pieces.place(name));
    const places = new Set([...hexes, ...stands].filter((place) => place !== null));
    return located(places);
  };
  /** Where some places are on the screen. @param {Iterable<string>} places */
  const located = (places) => [...places].flatMap((place) => {
    const centre = atlas.centre(place);
    return centre ? [{ place, at: camera.onScreen(centre) }] : [];
  });

  /** What lies over the map, measured from its corner. @returns {Box[]} */
  const cards = (also = "") => {
    const frame = board.getBoundingClientRect();
    const over = document.querySelectorAll(`#prompt, #side, #side .panel, #dock, #board .over-board:not(.beyond-chip)${also}`);
    const boxes = [...over].map((card) => card.getBoundingClientRect());
    return boxes.map(({ x, y, width, height }) => ({ x: x - frame.x, y: y - frame.y, width, height }));
  };

  const inSight = (/** @type {Box[]} */ covers) => (/** @type {Spot} */ { at }) =>
    at.x > 0 && at.y > 0 && at.x < board.clientWidth && at.y < board.clientHeight &&
    !covers.some((box) => meets(box, { ...at, width: 0, height: 0 }));

  /** Shows a chip for each edge beyond which something glows. */
  const point = () => {
    const menu = app.orders.menu();
    const all = menu ? spots(menu) : [];
    const seen = inSight(cards());
    const hidden = all.filter((spot) => !seen(spot));
    // A chip leaves room for the words on what lies over the map, which cover no order themselves.
    const covers = cards(", #overlay-legend");
    const room = camera.free();
    const size = atlas.radius * camera.scale();
    // Nor does a chip lie over a place in sight.
    for (const { at } of all.filter((spot) => !hidden.includes(spot)))
      covers.push({ x: at.x - size * SPOT, y: at.y - size * SPOT, width: 2 * size * SPOT, height: 2 * size * SPOT });
    beyond = new Map(Object.keys(EDGES).map((edge) => [edge, hidden.filter(({ at }) => edgeOf(at, room) === edge)]));
    for (const chip of chips) {
      const group = beyond.get(chip.dataset.edge) ?? [];
      chip.hidden = group.length === 0;
      if (chip.hidden) continue;
      const [noun, it] = group.length === 1 ? ["place", "it"] : ["places", "them"];
      const target = middle(group);
      chip.lastChild.textContent = `${group.length} ${all.length > hidden.length ? "more" : noun}`;
      const words = `${group.length} ${noun} with orders out of sight, ${wayTo(target, room)}: show ${it}`;
      chip.title = `${words} (V)`;
      chip.setAttribute("aria-label", `${chip.textContent}: ${words}`);
      const box = fitted(chip.dataset.edge, target, chip, room, covers);
      chip.hidden = box === null;
      if (!box) continue;
      covers.push(box);
      chip.style.translate = `${box.x}px ${box.y}px`;
      chip.firstChild.style.rotate = `${Math.atan2(target.y - box.y, target.x - box.x)}rad`;
    }
  };

  /** Brings what a chip points at into view; who came by keyboard goes on from there. */
  const reveal = (/** @type {string} */ edge, /** @type {boolean} */ byKey) => {
    const group = beyond.get(edge) ?? [];
    const centres = group.map(({ place }) => atlas.centre(place)).filter((centre) => centre !== null);
    if (centres.length === 0) return;
    const margin = atlas.radius * 3;
    const [xs, ys] = [centres.map(({ x }) => x), centres.map(({ y }) => y)];
    camera.show(
      {
        left: Math.min(...xs) - margin,
        right: Math.max(...xs) + margin,
        top: Math.min(...ys) - margin,
        bottom: Math.max(...ys) + margin,
      },
      camera.scale(),
    );
    if (byKey) focusOn(group[0].place);
  };

  const focusOn = (/** @type {string} */ place) => {
    const glows = app.orders.menu()?.units ?? new Set();
    const unit = pieces.stack(place).filter(({ name }) => glows.has(name)).pop();
    const hex = app.board.drawing.querySelector(`.option:not(.faint)[data-hex="${CSS.escape(place)}"]`);
    (hex ?? pieces.element(unit?.name ?? ""))?.focus({ preventScroll: true });
  };

  // A moment later, when the cards that may lie over the map have come and gone.
  const check = later((/** @type {import("./menu.js").Menu} */ menu) => {
    if (app.orders.menu() !== menu) return;
    const seen = inSight(cards());
    const all = menu.matrix && !app.orders.picked() ? located(entries(app)) : spots(menu);
    const print = `${app.live?.decision?.prompt}|${app.orders.picked()}`;
    const centre = print === asked || all.some(seen) ? null : atlas.centre(all[0]?.place ?? "");
    asked = print;
    if (centre) camera.bringIn(centre, { centre: true, clear: (at) => seen({ place: all[0].place, at }) });
    point();
  }, CARDS);

  app.on("menu", (/** @type {import("./menu.js").Menu|null} */ menu) => {
    if (menu) check(menu);
    else point();
  });
  camera.settled(point);
  new ResizeObserver(later(point, CARDS)).observe(board);
  return {
    /** Whether a point of the screen is free, and stays so when chips come. @param {Point} at */
    clear(at) {
      const room = camera.free();
      const [right, bottom] = [room.x + room.width, room.y + room.height];
      const chip = at.x < room.x + CHIP.width || at.x > right - CHIP.width || at.y < room.y + CHIP.height || at.y > bottom - CHIP.height;
      return !chip && inSight(cards())({ place: "", at });
    },
    /** Brings the orders that most lie out of sight into view. */
    revealMost() {
      const [edge, group] = [...beyond].sort(([, one], [, other]) => other.length - one.length)[0] ?? [];
      if (edge && group?.length) reveal(edge, true);
    },
  };
}

const meets = (/** @type {Box} */ one, /** @type {Box} */ other) =>
  one.width > 0 && one.height > 0 &&
  one.x <= other.x + other.width && other.x <= one.x + one.width &&
  one.y <= other.y + other.height && other.y <= one.y + one.height;

/** @param {Spot[]} group @returns {Point} */
const middle = (group) => ({
  x: group.reduce((sum, { at }) => sum + at.x, 0) / group.length,
  y: group.reduce((sum, { at }) => sum + at.y, 0) / group.length,
});

/** How far a point is from the middle of a room, as parts of its half width and height. */
const away = (/** @type {Point} */ at, /** @type {Box} */ room) => ({
  x: (at.x - room.x - room.width / 2) / (room.width / 2),
  y: (at.y - room.y - room.height / 2) / (room.height / 2),
});

function edgeOf(/** @type {Point} */ at, /** @type {Box} */ room) {
  const { x, y } = away(at, room);
  if (Math.abs(x) > Math.abs(y)) return x < 0 ? "left" : "right";
  return y < 0 ? "top" : "bottom";
}

/** "above and to the left", for a reader who cannot see the arrow. */
function wayTo(/** @type {Point} */ at, /** @type {Box} */ room) {
  const { x, y } = away(at, room);
  const words = [];
  if (Math.abs(y) > Math.abs(x) / 2) words.push(y < 0 ? EDGES.top : EDGES.bottom);
  if (Math.abs(x) > Math.abs(y) / 2) words.push(x < 0 ? EDGES.left : EDGES.right);
  return words.join(" and ");
}

/**
 * Room for a chip at an edge, as near as can be to what it points at, where no card lies.
 * @param {keyof typeof EDGES} edge @param {Point} target @param {HTMLElement} chip @param {Box} room @param {Box[]} covers
 * @returns {Box|null}
 */
function fitted(edge, target, chip, room, covers) {
  const [width, height] = [chip.offsetWidth, chip.offsetHeight];
  const [right, bottom] = [room.x + room.width - width - GAP, room.y + room.height - height - GAP];
  const upright = edge === "left" || edge === "right";
  const [low, high] = upright ? [room.y + GAP, bottom] : [room.x + GAP, right];
  const wish = Math.max(low, Math.min(high, upright ? target.y - height / 2 : target.x - width / 2));
  for (let inward = 0; inward < 8; inward += 1)
    for (let n = 0; n * STEP <= high - low; n += 1)
      for (const along of [wish + n * STEP, wish - n * STEP]) {
        if (along < low || along > high) continue;
        const depth = inward * (upright ? width : height);
        const x = edge === "left" ? room.x + GAP + depth : edge === "right" ? right - depth : along;
        const y = edge === "top" ? room.y + GAP + depth : edge === "bottom" ? bottom - depth : along;
        const box = { x, y, width, height };
        if (!covers.some((cover) => meets(cover, box))) return box;
      }
  return null;
}
