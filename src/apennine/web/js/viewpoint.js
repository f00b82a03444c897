/** Where the camera looks: at one's own units, at a place that is asked about, and first of all. */

import { SIZE } from "./counters.js";
import { find } from "./dom.js";
import { flash } from "./glow.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./atlas.js").Point} Point */

const MARGIN = 2;
const CLOSE = 1.9;
/** Counters smaller than this on the screen are too small to begin with. */
const READABLE = 42;
/** The width of the buttons at the left edge. */
const TOOLS = 64;
/** Units so near to an enemy are the front, in radii of a hex. */
const FRONT = 6;

/** @param {App} app */
export function makeViewpoint(app) {
  return {
    /** Shows a place, on the map and in the panel. @param {string} hex */
    jump(hex) {
      const at = app.board.atlas.centre(hex);
      if (!at) return;
      if (app.panels.small()) app.panels.close();
      app.board.camera.bringIn(at, { centre: true, closer: 20 });
      flash(app.board, hex);
      app.panels.inspect(hex);
    },
    /** Shows this player's front, near enough to read the counters. @param {boolean} [quick] */
    home(quick = false) {
      const { atlas, camera } = app.board;
      const { you = [], as = null } = app.live ?? {};
      const own = (/** @type {any} */ unit) => you.includes(unit.side) && (as ?? unit.side) === unit.side;
      const stand = (/** @type {any[]} */ units) => units.map(({ hex }) => atlas.centre(hex ?? "")).filter((spot) => spot !== null);
      const units = /** @type {any[]} */ (app.shown?.view.units ?? []);
      const [mine, theirs] = [stand(units.filter(own)), stand(units.filter((unit) => !you.includes(unit.side)))];
      if (mine.length === 0) {
        camera.fit();
        return;
      }
      const near = (/** @type {Point} */ spot) =>
        theirs.some((other) => Math.hypot(other.x - spot.x, other.y - spot.y) < FRONT * atlas.radius);
      const front = mine.filter(near);
      const shown = around(front.length ? front : mine, atlas.radius * MARGIN);
      camera.show(shown, CLOSE, quick === true, READABLE / SIZE);
    },
  };
}

/** @param {Point[]} spots @param {number} margin */
function around(spots, margin) {
  const [xs, ys] = [spots.map(({ x }) => x), spots.map(({ y }) => y)];
  return {
    left: Math.min(...xs) - margin,
    right: Math.max(...xs) + margin,
    top: Math.min(...ys) - margin,
    bottom: Math.max(...ys) + margin,
  };
}

/** What lies over the board, so that "the whole map" means the part that can be seen. */
export function insets() {
  const small = matchMedia("(max-width: 760px)").matches;
  const below = find("#tray").offsetHeight;
  if (small) return { top: 8, right: 0, bottom: 8 + below, left: 0 };
  return { top: find("#prompt").offsetHeight + 20, right: find("#side").offsetWidth + 24, bottom: 12 + below, left: TOOLS };
}

/** The whole map; where that is too small to read, one's own units as soon as there are any. @param {App} app */
export function lookFirst(app) {
  const { camera } = app.board;
  camera.fit(true);
  for (const over of ["#prompt", "#tray"]) new ResizeObserver(() => camera.refit()).observe(find(over));
  if (camera.scale() * SIZE >= READABLE) return;
  const own = (/** @type {any} */ unit) => unit.hex && app.live?.you.includes(unit.side);
  const unit = () => (app.live?.view.units ?? []).some(own);
  let gone = unit();
  if (gone) app.home(true);
  app.on("show", () => {
    if (gone || !unit()) return;
    gone = true;
    app.home();
  });
}
