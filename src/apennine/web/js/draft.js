/** Who attacks, as it stands on the table before anybody is named to the rules: all who can, unless
 * one is left out by a click. */

import { HEX, UNIT, VERB } from "./menu.js";

/** @typedef {import("./types.js").Option} Option */

/** @param {import("./types.js").App} app @param {(option: Option, joined: boolean) => Promise<boolean>} give */
export function makeDraft(app, give) {
  let at = "";
  /** @type {Set<string>} */
  let out = new Set();

  /** The question is who attacks, and nobody has been named. @returns {Option[]} */
  const asked = () => {
    const { view, decision } = app.live ?? {};
    const options = decision && !decision.waiting ? decision.options : [];
    const { hex, attackers = [], attacker = decision?.side } = view?.battle ?? {};
    // What names nobody, another hex to be attacked too, is a button of its own.
    const named = options.filter((option) => option[UNIT] !== null);
    const alike = (/** @type {Option} */ option) => (option[HEX] ?? hex) === hex && option[VERB] === named[0]?.[VERB];
    return hex && attackers.length === 0 && attacker === decision?.side && named.length > 1 && named.every(alike) ? named : [];
  };

  return {
    /** All who could attack. */
    options() {
      if (at !== app.live?.at) [at, out] = [app.live?.at ?? "", new Set()];
      return asked();
    },
    /** Those who do, as things stand. */
    chosen() {
      return this.options().filter((option) => !out.has(option[UNIT] ?? ""));
    },
    /** Leaves one out, or takes it in again. @param {string} name @returns {boolean} whether it is asked about */
    toggle(name) {
      if (!this.options().some((option) => option[UNIT] === name)) return false;
      if (!out.delete(name)) out.add(name);
      return true;
    },
    /** Names those who attack, and fights if nothing else is left to say. */
    async fight() {
      const [, ...rest] = this.chosen();
      const [first] = this.chosen();
      const left = this.options().length > rest.length + 1;
      if (!first || !(await give(first, false))) return;
      for (const option of rest) if (!(await give(option, true))) return;
      if (!left) return;
      const { decision } = app.live ?? {};
      const options = decision && !decision.waiting ? decision.options : [];
      const bare = options.filter((option) => option[UNIT] === null);
      const still = options.some((option) => option[VERB] === first[VERB]);
      if (still && bare.length === 1) await give(bare[0], true);
    },
  };
}
