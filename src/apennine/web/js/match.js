/** The page of a match: puts the parts together and keeps the state they all show. */

import { loadAtlas } from "./atlas.js";
import { games, matchApi } from "./api.js";
import { say, toast } from "./announce.js";
import { mountBattle } from "./battle.js";
import { makeBoard } from "./board.js";
import { mountChat } from "./chat.js";
import { openCharts } from "./charts.js";
import { mountCourtesy } from "./courtesy.js";
import { mountDice } from "./dice.js";
import { find, still } from "./dom.js";
import { mountForces } from "./forces.js";
import { flash, showBattle } from "./glow.js";
import { mountHints } from "./hints.js";
import { mountKeyboard, openHelp } from "./keyboard.js";
import { openLine } from "./live.js";
import { mountLog } from "./log.js";
import { mountOrderList } from "./orderlist.js";
import { mountOrders } from "./orders.js";
import { mountOverlays } from "./overlays.js";
import { makePace } from "./pace.js";
import { dressRoot, prefs } from "./prefs.js";
import { mountPreview } from "./preview.js";
import { mountPrompt } from "./prompt.js";
import { mountReplay } from "./replay.js";
import { rulesOf } from "./rules.js";
import { remember, seatOf } from "./seats.js";
import { openMenu } from "./settings.js";
import { mountSight } from "./sight.js";
import { mountSituation } from "./situation.js";
import { mountTabs } from "./tabs.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Option} Option */
/** @typedef {import("./types.js").App} App */

const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const given = location.hash.slice(1);
// The address in the bar is then safe to show: it no longer carries the seat. This tab keeps it.
if (given) history.replaceState({ token: given }, "", location.pathname);
const token = given || history.state?.token || seatOf(id)?.token || "";

/** @type {Map<string, Set<(about: any) => void>>} */
const listeners = new Map();
/** What a part is until it is mounted. @type {any} */
const unmounted = null;

/** @type {App} */
const app = {
  api: matchApi(id, token),
  live: null,
  shown: null,
  replaying: false,
  logAge: 0,
  selected: null,
  board: unmounted,
  orders: unmounted,
  overlays: unmounted,
  replay: unmounted,
  heeded: async () => true,

  on(name, act) {
    if (!listeners.has(name)) listeners.set(name, new Set());
    listeners.get(name)?.add(act);
  },
  emit(name, about = null) {
    for (const act of listeners.get(name) ?? []) act(about);
  },
  sideOf: (side) => app.live?.sides.indexOf(side ?? "") ?? -1,
  entries: () => (app.replaying ? (app.shown?.log.entries ?? []) : log),
  firstEntry: () => (app.replaying ? (app.shown?.log.from ?? 0) : logStart),
  async olderEntries() {
    const from = Math.max(0, logStart - 500);
    const part = await app.api.log(from, logStart);
    log.unshift(...part.entries);
    logStart = part.from;
    app.logAge += 1;
    app.emit("older", part);
    app.emit("show");
  },

  display(state) {
    app.shown = state;
    const { view } = state;
    app.board.pieces.show(view.units ?? [], view.markers ?? [], state.sides, namesIn(view.moving));
    showBattle(app.board, view.battle);
    app.emit("show");
  },
  act(option, at) {
    const sent = line.send("act", { at, option: option.slice(0, 4) });
    asked = sent.catch(() => null);
    return sent;
  },
  /** Over the open line, so that it is answered in turn with the orders. */
  preview: (option) => line.send("preview", { option: option.slice(0, 4) }).then(
    (reply) => reply.preview ?? null,
    () => null,
  ),
  /** In the state that the order or the undo before it led to, however quick the hand is. */
  undo() {
    asked = asked.then(async () => {
      if (!app.live?.may_undo || app.replaying) return;
      await line.send("undo", { at: app.live.at });
      say("Undone.");
    }).catch(app.complain);
  },
  lookAs: (side) => line.lookAs(side).catch(app.complain),
  setPace: (name) => pace.set(name),
  hurry: () => pace.hurry(),
  complain(error) {
    app.emit("refused", error);
  },
  jump(hex) {
    const at = app.board.atlas.centre(hex);
    if (!at) return;
    if (tabs.small()) tabs.close();
    app.board.camera.bringIn(at, { centre: true, closer: 20 });
    flash(app.board, hex);
    forces.inspect(hex);
  },
  select(unit) {
    app.selected = unit;
    app.emit("select", unit);
  },
  home(quick = false) {
    const { you = [], as = null } = app.live ?? {};
    const own = (/** @type {any} */ unit) => unit.hex && you.includes(unit.side) && (as ?? unit.side) === unit.side;
    const mine = (app.shown?.view.units ?? []).filter(own);
    const spots = mine.map((/** @type {any} */ unit) => app.board.atlas.centre(unit.hex)).filter(Boolean);
    if (spots.length === 0) {
      app.board.camera.fit();
      return;
    }
    const margin = app.board.atlas.radius * 2;
    const xs = spots.map((/** @type {any} */ spot) => spot.x);
    const ys = spots.map((/** @type {any} */ spot) => spot.y);
    app.board.camera.show(
      {
        left: Math.min(...xs) - margin,
        right: Math.max(...xs) + margin,
        top: Math.min(...ys) - margin,
        bottom: Math.max(...ys) + margin,
      },
      1.9,
      quick === true,
    );
  },
  async download() {
    try {
      const text = await app.api.save();
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
      link.download = `${app.live?.game}-${id.slice(0, 6)}.json`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    } catch (error) {
      app.complain(error);
    }
  },
};

/** @type {import("./types.js").Entry[]} */
let log = [];
/** The number of the first entry that is known. */
let logStart = 0;
/** @type {any} */
let tabs = null;
/** @type {any} */
let forces = null;
let ready = false;
/** @type {State[]} */
const early = [];

const pace = makePace(app, id);

/** The last change of the match that was asked for. @type {Promise<any>} */
let asked = Promise.resolve();

/** Joins the tail of the log that came with a state to what is known of it. */
function joined(/** @type {State} */ state) {
  const { from, entries } = state.log;
  const end = logStart + log.length;
  if (from < logStart || from > end) {
    [log, logStart] = [[], from];
    app.logAge += 1;
  } else if (from < end) {
    log.length = from - logStart;
    app.logAge += 1;
  }
  log.push(...entries);
  return entries;
}

function hear(/** @type {State} */ state) {
  if (!ready) {
    early.push(state);
    return;
  }
  const before = app.live;
  const fresh = joined(state);
  app.live = state;
  pace.calmDown();
  app.emit("heard");
  if (!app.replaying) app.display(state);
  if (before && fresh.length < 60) news(fresh);
}

/** All words in a part of a view: names of units among them. @param {any} part @returns {string[]} */
function namesIn(part) {
  if (typeof part === "string") return [part];
  return part && typeof part === "object" ? Object.values(part).flatMap(namesIn) : [];
}

/** What has just happened: flashes, dice, and the map follows the opponent. */
function news(/** @type {import("./types.js").Entry[]} */ entries) {
  if (app.replaying || entries.length === 0) return;
  app.emit("news", entries);
  const others = entries.filter((entry) => entry.hex && !app.live?.you.includes(entry.side ?? ""));
  for (const entry of others) if (entry.hex) flash(app.board, entry.hex);
  const last = others.at(-1)?.hex;
  const at = last ? app.board.atlas.centre(last) : null;
  if (at && prefs().follow === "on" && !still()) app.board.camera.bringIn(at);
  const theirs = entries.filter((entry) => entry.side && !app.live?.you.includes(entry.side));
  const words = theirs.map((entry) => `${entry.side}: ${entry.text}`);
  if (words.length) say(words.slice(-3).join(". "));
  app.emit("unread", "log");
}

/** What lies over the board, so that "the whole map" means the part that can be seen. */
function insets() {
  const small = matchMedia("(max-width: 760px)").matches;
  const prompt = find("#prompt").offsetHeight;
  const battle = find("#battle");
  if (small) return { top: 8 + battle.offsetHeight, right: 0, bottom: 8 + find(".corner").offsetHeight, left: 0 };
  return { top: prompt + 20, right: find("#side").offsetWidth + 24, bottom: 12, left: 12 + battle.offsetWidth };
}

async function begin(/** @type {State} */ first) {
  const about = (await catalogue).find((/** @type {any} */ game) => game.key === first.game);
  const atlas = await loadAtlas(about);
  app.live = first;
  find("#title").textContent = first.title;
  const scenario = about.scenarios.find((/** @type {any} */ one) => one.key === first.scenario);
  const packs = about.packs.map((/** @type {any} */ pack) => pack.title);
  find("#scenario").textContent = [scenario?.title, ...packs].filter(Boolean).join(" · ");
  document.title = `${first.title} · Apennine`;
  rulesOf(first.game);
  if (token) remember({ id, token, game: first.game, watching: first.you.length === 0 });

  app.board = makeBoard(find("#board"), atlas, insets, {
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
  });
  dressRoot();
  app.orders = mountOrders(app);
  mountPrompt(app);
  const sight = mountSight(app);
  mountPreview(app);
  mountBattle(app);
  mountCourtesy(app);
  mountLog(app);
  mountDice(app);
  mountSituation(app);
  forces = mountForces(app);
  mountChat(app);
  app.overlays = mountOverlays(app);
  app.replay = mountReplay(app);
  tabs = mountTabs(app);
  const list = mountOrderList(app);
  const charts = () => openCharts(first.game, first.title, atlas).catch(app.complain);
  const doors = {
    tab: (/** @type {string} */ name) => { tabs.show(name); if (name === "orders") list.show(); },
    menu: () => openMenu(app),
    charts,
    reveal: sight.revealMost,
    clear: sight.clear,
  };
  mountKeyboard(app, doors);
  find("#overlays-button").addEventListener("click", () => app.overlays.toggle());
  find("#replay-button").addEventListener("click", () => app.replay.toggle());
  find("#charts-button").addEventListener("click", charts);
  find("#help-button").addEventListener("click", openHelp);
  find("#menu-button").addEventListener("click", doors.menu);

  ready = true;
  joined(first);
  app.display(first);
  app.board.camera.fit(true);
  // On a small screen the whole map is too small to begin with: as soon as there are units, those.
  if (app.board.camera.scale() * atlas.radius < 13) {
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
  document.body.classList.add("ready");
  pace.calmDown();
  for (const state of early.splice(0)) hear(state);
  await mountHints(app);
}

/** A finger cannot hover: where several units of a stack can be ordered, it fans the stack out first. */
function fanFirst(/** @type {string} */ name, /** @type {any} */ event) {
  const { pieces } = app.board;
  const place = pieces.place(name) ?? "";
  const glowing = app.orders.menu()?.units ?? new Set();
  const many = pieces.stack(place).filter((unit) => glowing.has(unit.name)).length > 1;
  if (event.pointerType !== "touch" || !many || event.target.closest(".fan")) return false;
  pieces.openFan(place);
  return pieces.fanned() === place;
}

/** Shows a place's units, in the panel and as a fan for a finger; or says why one cannot go there. */
function look(/** @type {string} */ place, /** @type {any} */ event) {
  if (!place) return;
  const wish = app.orders.wish(place);
  if (wish) line.send("why", { option: wish }).then(
    ({ why }) => why && toast(why.rule ? `${why.sentence} (rule ${why.rule})` : why.sentence),
    () => null,
  );
  forces.inspect(place);
  if (app.board.pieces.stack(place).length > 0 && !tabs.small()) tabs.show("units");
  if (event?.pointerType === "touch") app.board.pieces.openFan(place);
}

function lineState(/** @type {boolean} */ open, /** @type {string|undefined} */ fatal) {
  find("#offline").hidden = open;
  find("#offline").textContent = fatal ?? "The connection is gone. Trying again …";
  if (!open) say(fatal ?? "The connection is gone.");
}

const catalogue = games();
let begun = false;
const line = openLine(id, token, {
  state(state) {
    if (begun) hear(state);
    else {
      begun = true;
      begin(state).catch((error) => {
        find("#offline").hidden = false;
        find("#offline").textContent = error.message;
        throw error;
      });
    }
  },
  chat: (message) => app.emit("chat", message.chat ?? message),
  presence(message) {
    if (app.live && message.seats) app.live.seats = message.seats;
    app.emit("presence");
  },
  line: lineState,
});
window.addEventListener(
  "unhandledrejection",
  (event) => toast(String(event.reason?.message ?? event.reason), "bad"),
);
