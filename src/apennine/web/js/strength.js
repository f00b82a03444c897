/** What units have together: factors add up, the slowest sets the pace. */

/** @typedef {import("./types.js").Unit} Unit */

/** The factor that does not add up. */
const PACE = "moves";

/** "2 units: attack 14, defence 12, moves 4"; empty for none. @param {Unit[]} units */
export function totals(units) {
  if (units.length === 0) return "";
  const count = units.length === 1 ? units[0].title || units[0].name : `${units.length} units`;
  const sums = strength(units);
  const words = Object.entries(sums).map(([name, value]) => `${name} ${value}`).join(", ");
  return words ? `${count}: ${words}` : count;
}

/** @param {Unit[]} units @returns {Record<string, number>} */
export function strength(units) {
  /** @type {Record<string, number>} */
  const sums = {};
  for (const { factors = {} } of units)
    for (const [name, value] of Object.entries(factors)) {
      if (typeof value !== "number") continue;
      sums[name] = name === PACE ? Math.min(sums[name] ?? Infinity, value) : (sums[name] ?? 0) + value;
    }
  return sums;
}
