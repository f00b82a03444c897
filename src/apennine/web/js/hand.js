/** What a click or a tap on the board means: an order first, else a look at what stands there. */

import { toast } from "./announce.js";

/**
 * @param {import("./types.js").App} app
 * @returns {import("./board.js").Hearer}
 */
export function makeHand(app) {
  /** Whether one unit of a stack is asked for: a stack that is taken up as a whole need not be spread out. */
  const fans = (/** @type {string} */ name) => {
    const glowing = app.orders.menu()?.units ?? new Set();
    const many = app.board.pieces.stack(app.board.pieces.place(name) ?? "").filter((unit) => glowing.has(unit.name)).length > 1;
    return many && !app.orders.draggable(name) && !app.orders.held() && app.orders.attack().could.length === 0;
  };

  /** A finger cannot hover: where one unit of a stack is asked for, it fans the stack out first. */
  const fanFirst = (/** @type {string} */ name, /** @type {any} */ event) => {
    const { pieces } = app.board;
    const place = pieces.place(name) ?? "";
    if (event.pointerType !== "touch" || !fans(name) || event.target.closest(".fan")) return false;
    pieces.openFan(place);
    return pieces.fanned() === place;
  };

  /** Shows a place's units, in the panel and as a fan for a finger; or says why one cannot go there. */
  const look = (/** @type {string} */ place, /** @type {any} */ event) => {
    if (!place) return;
    const wish = app.orders.wish(place);
    if (wish) app.why(wish).then((why) => {
      if (why) toast(why.rule ? `${why.sentence} (rule ${why.rule})` : why.sentence);
    });
    app.panels.inspect(place);
    if (app.board.pieces.stack(place).length > 0 && !app.panels.small()) app.panels.show("units");
    if (event?.pointerType === "touch") app.board.pieces.openFan(place);
  };

  return {
    fans,
    unit(name, event) {
      const unit = app.board.pieces.unit(name);
      app.select(name);
      if (fanFirst(name, event)) return;
      if (app.orders.unit(name, event)) return;
      if (unit?.hex && app.orders.hex(unit.hex, event)) return;
      look(app.board.pieces.placeOf(/** @type {any} */ (unit)) ?? "", event);
    },
    hex(code, event) {
      if (!app.orders.hex(code, event)) look(code, event);
    },
    nothing: () => void app.orders.drop(),
    hover(at) {
      app.orders?.hover(at);
      app.emit("hover", at);
    },
    home: app.home,
  };
}
