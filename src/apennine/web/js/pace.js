/** How long each passage of the others' turn is shown: as the pace has it, and never longer in all
 * than the turn may take, however many there are and however slow the machine is. */

/** @typedef {import("./types.js").Passage} Passage */

/** In milliseconds: how long a move and a battle are shown, and a turn of them at most. */
export const PACES = {
  slow: { move: 1100, battle: 3200, turn: 60000 },
  normal: { move: 520, battle: 1700, turn: 12000 },
  fast: { move: 200, battle: 600, turn: 4000 },
};
/** Asks before each passage, so that no time is counted. */
export const STEPS = "step by step";
/** Nothing is shown shorter than this; when there is no time for it either, the rest is shown at once. */
export const LEAST = 30;
/** No passage takes more than this part of what is left: more may come than is known yet. */
const PART = 1 / 6;

/** @param {() => number} clock  in milliseconds */
export function makePace(clock = () => performance.now()) {
  let spent = 0;
  /** Since when the clock runs: while something is shown, and not while one waits for more. @type {number|null} */
  let since = null;
  const left = (/** @type {number} */ turn) => Math.max(0, turn - spent - (since === null ? 0 : clock() - since));

  return {
    /** A turn begins to be told, or goes on. */
    start() {
      since ??= clock();
    },
    stop() {
      if (since !== null) spent += clock() - since;
      since = null;
    },
    /** The turn is told. */
    reset() {
      [spent, since] = [0, null];
    },
    /**
     * How long a passage is shown; 0 if it is not shown by itself.
     * @param {string} name  of the pace @param {Passage} passage @param {Passage[]} ahead  what is known to follow
     */
    length(name, passage, ahead) {
      const pace = PACES[/** @type {"normal"} */ (name)] ?? PACES.normal;
      const share = (/** @type {Passage} */ one) => (one.battle ? pace.battle : pace.move);
      if (name === STEPS) return share(passage);
      const wanted = ahead.reduce((sum, one) => sum + share(one), share(passage));
      const room = left(pace.turn);
      const scaled = Math.max(LEAST, share(passage) * Math.min(1, room / wanted));
      const ms = Math.min(scaled, room * PART);
      return ms < LEAST ? 0 : ms;
    },
  };
}
