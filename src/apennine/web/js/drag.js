/** Units that are dragged: taken up where the drag begins, sent where it ends. */

import { counterPicture } from "./counters.js";
import { h } from "./dom.js";

const FAR = 6;

/** @param {import("./types.js").App} app */
export function listenToDrags(app) {
  const board = /** @type {HTMLElement} */ (document.querySelector("#board"));
  /** @type {{unit: string, x: number, y: number, ghost: HTMLElement|null, ready: Promise<any>}|null} */
  let drag = null;

  let dropped = false;

  const hexAt = (/** @type {PointerEvent} */ event) => {
    const box = board.getBoundingClientRect();
    const at = app.board.camera.onMap(event.clientX - box.left, event.clientY - box.top);
    return app.board.atlas.hexAt(at.x, at.y);
  };
  const end = () => {
    drag?.ghost?.remove();
    drag = null;
    board.classList.remove("carrying");
  };

  // Before the camera hears of it: a drag that begins on a unit does not move the map.
  board.addEventListener("pointerdown", (event) => {
    dropped = false;
    const counter = /** @type {Element} */ (event.target).closest(".counter[data-unit]");
    const unit = counter?.getAttribute("data-unit");
    if (event.pointerType === "touch" || event.button !== 0 || !unit || !app.orders.draggable(unit)) return;
    event.stopPropagation();
    drag = { unit, x: event.clientX, y: event.clientY, ghost: null, ready: Promise.resolve() };
  }, true);
  board.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
      begin(event);
    }
    if (!drag.ghost) return;
    drag.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    app.orders.hover({ unit: null, hex: hexAt(event) });
  });
  const begin = (/** @type {PointerEvent} */ event) => {
    const unit = drag && app.board.pieces.unit(drag.unit);
    if (!drag || !unit) return;
    board.setPointerCapture(event.pointerId);
    board.classList.add("carrying");
    drag.ghost = h("div", { class: "ghost", "aria-hidden": "true" }, counterPicture(unit, app.sideOf(unit.side)));
    document.body.append(/** @type {any} */ (drag.ghost));
    drag.ready = app.orders.moving().has(unit.name) ? Promise.resolve() : app.orders.lift(unit.name);
  };
  board.addEventListener("pointerup", async (event) => {
    if (!drag?.ghost) {
      drag = null;
      return;
    }
    const { ready, unit } = drag;
    const hex = hexAt(event);
    end();
    dropped = true;
    const home = app.board.pieces.place(unit);
    await ready;
    if (!app.orders.held()) return;
    if (hex && hex !== home && app.orders.menu()?.byHex.has(hex)) app.orders.hex(hex);
    else if (hex === home) return;
    else app.orders.putBack(hex);
  });
  board.addEventListener("pointercancel", end);
  // The click at the end of a drag, if there is one, means nothing more.
  board.addEventListener("click", (event) => {
    if (!dropped) return;
    dropped = false;
    event.stopPropagation();
    event.preventDefault();
  }, true);
}
