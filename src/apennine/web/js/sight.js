/** Brings what can be ordered into sight when nothing of it can be seen. */

import { later } from "./dom.js";
import { HEX, UNIT } from "./menu.js";

const CARDS = 300;

/** @param {import("./match.js").App} app */
export function mountSight(app) {
  let asked = "";

  /** Whether a point of the map is on the screen, with no card over it. */
  const seen = (/** @type {{x: number, y: number}} */ point) => {
    const frame = document.querySelector("#board")?.getBoundingClientRect();
    const at = app.board.camera.onScreen(point);
    const top = frame && document.elementFromPoint(frame.left + at.x, frame.top + at.y);
    return Boolean(top?.closest(".pieces"));
  };

  app.on("menu", (/** @type {import("./menu.js").Menu|null} */ menu) => {
    const decision = app.live?.decision;
    if (!menu || !decision) return;
    const print = `${decision.prompt}|${app.orders.picked()}`;
    if (print === asked) return;
    asked = print;
    check(menu);
  });

  // A moment later, when the cards that may lie over the map have come and gone.
  const check = later((/** @type {import("./menu.js").Menu} */ menu) => {
    if (app.orders.menu() !== menu) return;
    const places = new Set(menu.left.map((option) => option[HEX] ?? app.board.pieces.unit(option[UNIT] ?? "")?.hex));
    const points = [...places].map((place) => app.board.atlas.centre(place ?? "")).filter((point) => point !== null);
    if (points.length && !points.some(seen)) app.board.camera.bringIn(points[0], { centre: true });
  }, CARDS);
}
