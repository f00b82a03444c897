/** A stack in hand: one click picks all of it up, another leaves a unit out, Esc puts it back.
 * The rules take one unit at a time: what they offer while units are on the move is taken in a bundle. */

import { toast } from "./announce.js";
import { HEX, UNIT, VERB } from "./menu.js";
import { prefs } from "./prefs.js";

/** @typedef {import("./types.js").Option} Option */
/**
 * @typedef {object} Held
 * @property {Option} first  the order that picked it up
 * @property {string} place  from which it comes
 * @property {string[]} units  that were wanted, the first in line first
 * @property {Option[]} instead  what could have been ordered as well
 * @property {import("./menu.js").Menu} before  what could be ordered before
 * @property {number} steps  small orders so far
 * @property {boolean} gone  whether it has left its place
 */

/**
 * @param {import("./types.js").App} app
 * @param {ReturnType<typeof import("./bundle.js").makeBundles>} bundles
 * @param {(option: Option, joined: boolean) => Promise<boolean>} give
 */
export function makeCarry(app, bundles, give) {
  /** @type {Held|null} */
  let held = null;

  const mine = () => (app.live?.decision && !app.live.decision.waiting ? app.live.decision.options : []);
  const carrying = () => Boolean(app.live?.view.moving && !app.live.view.battle && mine().length);
  const moving = () => new Set(/** @type {string[]} */ (app.live?.view.moving?.units ?? []));

  /** The order that ends a move: the only one that names no hex. */
  const ending = () => {
    const ends = mine().filter((option) => option[HEX] === null && (option[UNIT] === null || moving().has(option[UNIT] ?? "")));
    return ends.length === 1 ? ends[0] : null;
  };

  /** Takes along those of these units that may come. @param {string[]} units */
  const gather = async (units) => {
    let steps = 0;
    for (const name of units) {
      if (!carrying() || moving().has(name)) continue;
      const join = mine().find((option) => option[UNIT] === name && option[HEX] === null);
      if (!join) continue;
      if (!(await give(join, true))) break;
      steps += 1;
    }
    return steps;
  };

  /** @param {Omit<Held, "steps"|"gone">} wish */
  const take = async (wish) => {
    held = null;
    if (!(await give(wish.first, false))) return;
    const steps = 1 + (await gather(wish.units));
    if (carrying()) held = { ...wish, steps, gone: false };
  };

  /** Puts everything back as it was before; false where dice or a discovery forbid it. */
  const putBack = async () => {
    const steps = held?.steps ?? 0;
    const back = await bundles.shorten(steps);
    if (!back) toast("What has been rolled or seen cannot be taken back: the units stay in hand.");
    else held = null;
    return back;
  };

  return {
    carrying,
    moving,
    /** What is in hand, as long as it is. */
    held() {
      if (held && !carrying()) held = null;
      return held;
    },
    take,
    /** Puts the stack back, or where it has gone ends its move. */
    async letGo() {
      if (held && !held.gone) return putBack();
      const end = ending();
      held = null;
      return end !== null && give(end, true);
    },
    /** Picks the stack up again without a unit, or with one more. @param {string} name */
    async leaveOut(name) {
      if (!held || held.gone) return;
      const { first, units, ...rest } = held;
      const left = units.filter((one) => one !== name && moving().has(one));
      if (!(await putBack()) || left.length === 0) return;
      const same = first[UNIT] === null ? first : mine().find(
        (option) => option[VERB] === first[VERB] && option[UNIT] === left[0] && option[HEX] === null,
      );
      if (same) await take({ ...rest, first: same, units: left });
    },
    /** Another unit comes along. @param {Option} option */
    async join(option) {
      if (!(await give(option, true)) || !held) return;
      held.steps += 1;
      held.units = [...held.units, option[UNIT] ?? ""];
    },
    /** An order while a stack is in hand or not; a move that is over ends by itself. @param {Option} option @param {boolean} goesOn */
    async follow(option, goesOn) {
      const carried = carrying();
      if (!(await give(option, held !== null))) return;
      if (held) [held.steps, held.gone] = [held.steps + 1, held.gone || option[HEX] !== null];
      if (!carried || !carrying() || option[HEX] === null || goesOn || prefs().steps === "stop") return;
      const end = ending();
      const goOn = mine().filter((one) => one !== end);
      // Nothing is left but to go on, and the stack is where it was sent.
      if (end && goOn.every((one) => one[VERB] === option[VERB] && one[HEX] !== null)) await give(end, true);
    },
  };
}
