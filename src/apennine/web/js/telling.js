/** The turn of the others, told: what has come is shown passage by passage, at the reader's pace.
 *
 * States are kept here until their turn has come, so nothing waits for the network in between; the
 * rest of the page hears of them one after the other. */

import { say } from "./announce.js";
import { fill, find, h, still } from "./dom.js";
import { makePace, STEPS } from "./pace.js";
import { prefs } from "./prefs.js";
import { begin } from "./rest.js";
import { makeTrail } from "./trail.js";
import { plain } from "./wording.js";

/** @typedef {import("./types.js").State} State */
/** @typedef {import("./types.js").Passage} Passage */
/** @typedef {{state: State, passages: Passage[]}} Scene  a state, and the passages that led to it */

/** Scenes that are kept to be watched again. */
const KEPT = 400;

/**
 * @param {import("./types.js").App} app
 * @param {(state: State, shown: boolean) => void} take  lets the page hear of a state; `shown`: and draw it
 */
export function makeTelling(app, take) {
  /** @type {State[]} */
  let queue = [];
  let running = false;
  let hurried = false;
  const pace = makePace();
  /** What was told since this player's last order, and the state before it. @type {Scene[]} */
  let scenes = [];
  /** @type {State|null} */
  let before = null;
  /** Entries before this number are told. */
  let toldTo = 0;
  /** How much of a passage that goes on was told already. @type {{n: number, moves: Map<string, number>}} */
  let part = { n: -1, moves: new Map() };
  /** Goes on to the next passage when asked to. @type {(() => void)|null} */
  let goOn = null;
  /** Cuts a pause short. @type {Set<() => void>} */
  const pauses = new Set();
  /** Where the camera was. @type {{x: number, y: number, k: number}|null} */
  let viewpoint = null;
  const trail = makeTrail(app);

  const others = (/** @type {Passage} */ passage) => !app.live?.you.includes(passage.side ?? "");
  const mine = (/** @type {State} */ state) => !state.decision?.waiting || state.outcome !== null;

  /** The passages that a state brings and that are over, or as much of one as there is when I am asked. */
  const fresh = (/** @type {State} */ state) => {
    toldTo = Math.min(toldTo, state.log.from);
    const found = (state.log.passages ?? []).filter((passage) => passage.n >= toldTo || passage.n === part.n);
    const over = found.filter((passage) => !passage.open || mine(state));
    return over.filter((passage) => others(passage) && !passage.quiet).map(rest);
  };
  /** A passage without the moves that were told when it was not over yet. @param {Passage} passage */
  const rest = (passage) => {
    if (passage.n !== part.n) return passage;
    const moves = (passage.moves ?? []).map(([unit, path]) => /** @type {[string, string[]]} */ (
      [unit, path.slice(Math.max(0, (part.moves.get(unit) ?? 1) - 1))]
    ));
    return { ...passage, moves: moves.filter(([, path]) => path.length > 1) };
  };
  const noted = (/** @type {State} */ state) => {
    for (const passage of state.log.passages ?? [])
      if (!passage.open) toldTo = Math.max(toldTo, passage.to);
      else if (mine(state)) part = {
        n: passage.n,
        moves: new Map((passage.moves ?? []).map(([unit, path]) => [unit, path.length])),
      };
  };

  /** Whether a bot goes on at once, and what lies in between need not be drawn. @param {State} state */
  const inBetween = (state) => !mine(state) && Boolean(app.shown?.decision?.waiting) && state.you.length > 0 &&
    state.seats.some(({ side, kind }) => kind === "bot" && side === state.decision?.side);

  const pause = (/** @type {number} */ ms) => new Promise((/** @type {(value?: any) => void} */ done) => {
    const over = () => {
      clearTimeout(timer);
      pauses.delete(over);
      done();
    };
    const timer = setTimeout(over, ms);
    pauses.add(over);
  });

  /** The steps of a passage, known already or brought by the state that is told. @param {Passage} passage @param {State} state */
  const stepsOf = (passage, { log }) => [
    ...app.record.between(passage.n, Math.min(passage.to, log.from)),
    ...log.entries.slice(Math.max(0, passage.n - log.from), Math.max(0, passage.to - log.from)),
  ];
  /**
   * Shows a passage for as long as there is time for it.
   * @param {Passage} passage @param {State} state @param {Passage[]} ahead @returns {Promise<boolean>} whether it was shown
   */
  const tell = async (passage, state, ahead) => {
    const entries = stepsOf(passage, state);
    const ms = hurried ? 0 : pace.length(prefs().pace, passage, ahead);
    const { atlas, camera, pieces } = app.board;
    trail.add(passage);
    if (ms === 0) return false;
    const words = `${passage.side ? `${passage.side}: ` : ""}${plain(passage.text)}`;
    fill(find("#caption"), h("p", { class: `side-${app.sideOf(passage.side ?? null)}` }, h("span", { class: "side-mark" }), words));
    find("#caption").hidden = false;
    say(words);
    const last = passage.moves?.at(-1)?.[1].at(-1) ?? passage.places?.[0];
    const at = last ? atlas.centre(last) : null;
    if (at && prefs().follow === "on") camera.bringIn(at);
    if (passage.battle) app.emit("fought", { passage, entries });
    const glides = still() ? [] : (passage.moves ?? []).map(([unit, path]) =>
      pieces.glide(unit, path.map((code) => atlas.centre(code)).filter((point) => point !== null), ms * 0.8));
    if (prefs().pace === STEPS) await step();
    else {
      await pause(ms);
      // A page that draws no frames, on a busy machine or out of sight, does not hold up the telling.
      pieces.stopGlides();
      await Promise.all(glides);
    }
    return true;
  };
  /** Waits for the reader. */
  const step = () => new Promise((/** @type {(value?: any) => void} */ done) => {
    rested();
    goOn = () => {
      goOn = null;
      rested = begin("telling");
      app.emit("telling", true);
      done();
    };
    app.emit("telling", true);
  });
  let rested = () => {};

  const start = () => {
    running = true;
    pace.start();
    rested = begin("telling");
    viewpoint ??= app.board.camera.view();
    app.emit("telling", true);
  };
  const stop = () => {
    running = false;
    pace.stop();
    find("#caption").hidden = true;
    rested();
  };
  /** This player is asked again: his front is in sight, and he is told what has happened. */
  const finish = () => {
    if (viewpoint) app.board.camera.restore(viewpoint);
    viewpoint = null;
    hurried = false;
    pace.reset();
    app.emit("telling", false);
    app.emit("told", scenes.flatMap(({ passages }) => passages));
  };

  const run = async () => {
    start();
    while (queue.length > 0) {
      const state = /** @type {State} */ (queue.shift());
      const passages = fresh(state);
      let shown = false;
      for (const [i, passage] of passages.entries()) {
        const ahead = [...passages.slice(i + 1), ...queue.flatMap((one) => one.log.passages?.slice(-1) ?? [])];
        shown = (await tell(passage, state, ahead)) || shown;
      }
      keep(state, passages);
      running = queue.length > 0;
      take(state, shown || !running);
    }
    stop();
    if (app.live && mine(app.live)) finish();
    else app.emit("telling", false);
  };
  const keep = (/** @type {State} */ state, /** @type {Passage[]} */ passages) => {
    noted(state);
    before ??= app.live;
    scenes.push({ state, passages });
    if (scenes.length > KEPT) before = scenes.shift()?.state ?? null;
  };
  const hurry = () => {
    hurried = true;
    for (const over of [...pauses]) over();
    app.board.pieces.stopGlides();
    goOn?.();
  };

  return {
    /** A state has come: shown at once, or told when what came before it has been told. @param {State} state */
    hear(state) {
      const known = app.record.end();
      if (running) {
        queue.push(state);
        if (state.log.from < toldTo && document.hidden) hurry();
        return;
      }
      const tells = prefs().pace !== "at once" && !hurried && !document.hidden && !app.replaying;
      if (tells && state.log.from === known && fresh(state).length > 0) {
        queue = [state];
        run();
        return;
      }
      const passages = state.log.from === known ? fresh(state) : [];
      for (const passage of passages) trail.add(passage);
      keep(state, passages);
      take(state, !inBetween(state));
      if (mine(state) && !app.replaying) finish();
    },
    /** The log is known up to here: nothing of it need be told. */
    begin(/** @type {State} */ state) {
      noted(state);
      toldTo = Math.max(toldTo, app.record.end());
    },
    /** This player has given an order: what the others did is no news any more. */
    forget() {
      [scenes, before] = [[], null];
      trail.clear();
    },
    /** What is in sight now is what the camera goes back to. */
    stay() {
      if (viewpoint) viewpoint = app.board.camera.view();
    },
    /** Whether the board shows what is past, so that no order can be given. */
    active: () => running,
    stepping: () => goOn !== null,
    next: () => goOn?.(),
    /** The rest of this turn at once. */
    hurry,
    /** Whether a hurry makes sense now: the other side's turn is being told, or awaited. */
    mayHurry: () => !hurried && prefs().pace !== "at once",
    canWatch: () => !running && before !== null && scenes.length > 0,
    /** Tells once more what was told since this player's last order. */
    async again() {
      if (running || !before) return;
      pace.reset();
      start();
      hurried = false;
      trail.clear();
      app.display(before);
      const all = scenes.flatMap(({ passages }) => passages);
      let count = 0;
      for (const { state, passages } of scenes) {
        let shown = false;
        for (const passage of passages) {
          count += 1;
          shown = (await tell(passage, state, all.slice(count))) || shown;
        }
        if (shown) app.display(state);
      }
      stop();
      if (app.live) app.display(app.live);
      finish();
    },
  };
}
