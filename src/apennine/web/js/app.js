/** What the parts of a match's page share: the states, a way to tell each other, and what they can ask for. */

import { matchApi } from "./api.js";
import { showBattle } from "./glow.js";
import { makeHoldings } from "./holdings.js";
import { openLine } from "./live.js";
import { makeRecord } from "./record.js";
import { makeSpeech } from "./speech.js";
import { makeViewpoint } from "./viewpoint.js";

/** @typedef {import("./types.js").App} App */
/** @typedef {import("./types.js").State} State */

/** Board, orders, panels and so on, until they are mounted. @type {any} */
const unmounted = {};

/** All words in a part of a view: names of units among them. @param {any} part @returns {string[]} */
function namesIn(part) {
  if (typeof part === "string") return [part];
  return part && typeof part === "object" ? Object.values(part).flatMap(namesIn) : [];
}

/**
 * @param {string} id  of the match
 * @param {string} token  of the seat
 * @param {import("./live.js").Listener} hear  who is told what comes over the line
 * @returns {App}
 */
export function makeApp(id, token, hear) {
  /** @type {Map<string, Set<(about: any) => void>>} */
  const listeners = new Map();
  /** @type {App} */
  const app = {
    ...unmounted,
    id,
    api: matchApi(id, token),
    live: null,
    shown: null,
    replaying: false,
    logAge: 0,
    selected: null,
    heeded: async () => true,

    on(name, act) {
      if (!listeners.has(name)) listeners.set(name, new Set());
      listeners.get(name)?.add(act);
    },
    emit(name, about = null) {
      for (const act of listeners.get(name) ?? []) act(about);
    },
    sideOf: (side) => app.live?.sides.indexOf(side ?? "") ?? -1,
    display(state) {
      app.shown = state;
      if (app.orders?.running()) return;
      const { view } = state;
      app.board.pieces.show(view.units ?? [], view.markers ?? [], state.sides, namesIn(view.moving));
      showBattle(app.board, view.battle);
      app.emit("show");
    },
    select(unit) {
      app.selected = unit;
      app.emit("select", unit);
    },
    complain: (error) => app.emit("refused", error),
  };
  app.record = makeRecord(app);
  app.holdings = makeHoldings(app);
  return Object.assign(app, makeSpeech(app, openLine(id, token, hear)), makeViewpoint(app));
}
