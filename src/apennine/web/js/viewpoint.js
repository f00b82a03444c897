/** Where the camera looks: at one's own units, at a place that is asked about, and first of all. */

import { SIZE } from "./counters.js";
import { find, later } from "./dom.js";
import { flash } from "./glow.js";
import { HEX, UNIT } from "./menu.js";

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
      const entering = stand(entries(app).map((hex) => ({ hex })));
      const [area, least] = [around(entering, atlas.radius * MARGIN), READABLE / SIZE];
      // Where a unit may go nearly anywhere, that is no place to look at.
      if (entering.length > 0 && (mine.length === 0 || camera.fits(area, least))) {
        camera.show(area, CLOSE, quick === true, least);
        app.telling.stay();
        return;
      }
      const asked = mine.length > 0 ? [] : askedAbout(app);
      if (asked.length > 0) {
        camera.show(around(together(asked, app), atlas.radius * MARGIN), CLOSE, quick === true, least);
        app.telling.stay();
        return;
      }
      if (mine.length === 0) {
        camera.fit(quick === true);
        lookAtGround(app);
        return;
      }
      const front = near(mine, theirs, FRONT * atlas.radius);
      camera.show(around(together(front.length ? front : mine, app), atlas.radius * MARGIN), CLOSE, quick === true, least);
      app.telling.stay();
    },
  };
}

/** Those of some places that lie so near to one of others. @param {Point[]} places @param {Point[]} others @param {number} apart */
const near = (places, others, apart) =>
  places.filter((spot) => others.some((other) => Math.hypot(other.x - spot.x, other.y - spot.y) < apart));

/** All places, or as many of them as can be read at once: the middle of a long front may be empty. @param {Point[]} places @param {App} app */
function together(places, app) {
  const { atlas, camera } = app.board;
  const [fits, margin] = [(/** @type {Point[]} */ some) => camera.fits(around(some, margin), READABLE / SIZE), atlas.radius * MARGIN];
  if (fits(places)) return places;
  let best = places.slice(0, 1);
  for (const first of places) {
    const far = (/** @type {Point} */ spot) => Math.hypot(spot.x - first.x, spot.y - first.y);
    /** @type {Point[]} */
    const group = [];
    for (const spot of [...places].sort((one, other) => far(one) - far(other)))
      if (fits([...group, spot])) group.push(spot);
    if (group.length > best.length) best = group;
  }
  return best;
}

/** Who has no units on the map yet sees where his ground meets the other's. @param {App} app */
async function lookAtGround(app) {
  const { atlas, camera } = app.board;
  const { you = [], at } = app.live ?? {};
  const held = await app.holdings();
  const spots = (/** @type {boolean} */ own) => held.filter(([side]) => you.includes(side) === own)
    .flatMap(([, hexes]) => [...hexes]).map((hex) => atlas.centre(hex)).filter((spot) => spot !== null);
  const front = near(spots(true), spots(false), 2 * atlas.radius);
  if (front.length === 0 || app.live?.at !== at) return;
  camera.show(around(together(front, app), atlas.radius * MARGIN), CLOSE, false, READABLE / SIZE);
  app.telling.stay();
}

/** The hexes that may be named, and the boxes of the units, while that is asked. @param {App} app @returns {Point[]} */
function askedAbout(app) {
  const { decision } = app.live ?? {};
  const options = decision && !decision.waiting && !deploying(app) ? decision.options : [];
  const places = new Set(options.flatMap((option) => option[HEX] ?? app.board.pieces.place(option[UNIT]) ?? []));
  return [...places].map((place) => app.board.atlas.centre(place)).filter((spot) => spot !== null);
}

/** Whether units are to be put on the map, be it that the place is asked for only afterwards. @param {App} app */
function deploying(app) {
  const { decision } = app.live ?? {};
  const options = decision && !decision.waiting ? decision.options : [];
  return options.some((option) => option[UNIT] !== null && !app.board.pieces.place(option[UNIT] ?? ""));
}

/** The hexes in which units may be placed that are not on the map yet, while that is asked. @param {App} app */
export function entries(app) {
  const { decision } = app.live ?? {};
  const options = decision && !decision.waiting ? decision.options : [];
  const off = (/** @type {import("./types.js").Option} */ option) =>
    option[UNIT] !== null && option[HEX] !== null && !app.board.pieces.unit(option[UNIT] ?? "")?.hex;
  return options.length > 0 && options.every((option) => option[HEX] === null || off(option))
    ? [...new Set(options.map((option) => option[HEX]).filter((hex) => hex !== null))]
    : [];
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

/** The whole map; where that is too small to read, where one's units may be placed, and as soon as there are
 * any the units themselves. @param {App} app */
export function lookFirst(app) {
  const { camera } = app.board;
  camera.fit(true);
  for (const over of ["#prompt", "#tray"]) new ResizeObserver(() => camera.refit()).observe(find(over));
  // Cards take room from the map on a small screen: what is asked about stays in sight all the same.
  new ResizeObserver(later(() => {
    const hex = app.panels.small() ? (app.orders.aimedAt() ?? app.shown?.view.battle?.hex) : null;
    const at = hex ? app.board.atlas.centre(hex) : null;
    if (at && !camera.sees(at)) camera.bringIn(at);
  }, 30)).observe(find("#board"));
  if (camera.scale() * SIZE >= READABLE) return;
  const own = (/** @type {any} */ unit) => unit.hex && app.live?.you.includes(unit.side);
  const there = () => (app.live?.view.units ?? []).some(own);
  let question = "";
  /** Units may be placed, and most of where they may lies out of sight: told once for each question. */
  const elsewhere = () => {
    const again = question === app.live?.decision?.prompt;
    question = app.live?.decision?.prompt ?? "";
    const spots = entries(app).map((hex) => app.board.atlas.centre(hex)).filter((spot) => spot !== null);
    return !again && spots.length > 0 && 2 * spots.filter(camera.sees).length < spots.length;
  };
  const done = () => there() && !deploying(app) && entries(app).length === 0;
  let [gone, asked] = [done(), deploying(app)];
  let shown = !there() && askedAbout(app).length > 0;
  if (gone || asked || shown || there()) app.home(true);
  app.on("show", () => {
    if (gone || app.replaying) return;
    const places = deploying(app);
    const waiting = !there() && askedAbout(app).length > 0;
    const first = (places && !asked) || (waiting && !shown);
    asked ||= places;
    shown ||= waiting;
    gone = done();
    const away = elsewhere();
    if (first || gone || away) app.home();
  });
}
