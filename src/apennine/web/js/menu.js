/** What the options of a decision mean for the eye: which units and hexes glow, what is a button.
 * Nothing here knows a game: an option is a verb with perhaps a unit, a hex and a number. */

/** @typedef {import("./types.js").Option} Option */

export const VERB = 0;
export const VALUE = 3;
export const TEXT = 4;
export const HEX = 5;
export const UNIT = 6;

const MOST_BUTTONS = 4;
/** What no more than these could be ordered is no common order. */
const FEW = 2;

/** @template K, V @param {Iterable<V>} items @param {(item: V) => K} key @returns {Map<K, V[]>} */
export function grouped(items, key) {
  const groups = new Map();
  for (const item of items) {
    const name = key(item);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(item);
  }
  return groups;
}

/** An option's name among those of its decision. @param {Option} option */
export const keyOf = (option) => option.slice(0, 4).join("|");

/**
 * The options left after a unit or a hex has been picked.
 * @param {Option[]} options @param {string|null} unit
 */
export const narrowed = (options, unit) => (unit === null ? options : options.filter((option) => option[UNIT] === unit));

/**
 * @param {Option[]} options  of the decision
 * @param {string|null} picked  the unit that has been picked, if any
 * @param {string[]} byName  verbs that a mere click on a unit does not mean
 */
export function readMenu(options, picked, byName = []) {
  const left = narrowed(options, picked);
  const byUnit = grouped(options.filter((option) => option[UNIT] !== null), (option) => option[UNIT] ?? "");
  const byHex = grouped(left.filter((option) => option[HEX] !== null), (option) => option[HEX] ?? "");
  const placed = left.filter((option) => option[UNIT] !== null && option[HEX] !== null);
  const movers = new Set(placed.map((option) => option[UNIT]));
  // Many units, each with many hexes: the unit comes first, or half the map would glow.
  const matrix = movers.size > 1 && placed.length > 2 * movers.size;
  const unitsGlow = byUnit.size > 1 || placed.length === 0;
  return {
    options,
    left,
    byUnit,
    byHex,
    matrix,
    units: new Set(unitsGlow ? byUnit.keys() : []),
    hexes: new Set(byHex.keys()),
    buttons: buttonsOf(options),
    byName: new Set(byName),
  };
}

/**
 * Options that are named beside the prompt: those that point at nothing on the map, and those
 * that are the only one with their verb. Many of one verb share a button.
 * @param {Option[]} options
 * @returns {{label: string, options: Option[]}[]}
 */
function buttonsOf(options) {
  const buttons = [];
  for (const [verb, same] of grouped(options, (option) => option[VERB])) {
    const bare = same.filter((option) => option[UNIT] === null && option[HEX] === null);
    const shown = same.length === 1 ? same : bare;
    if (shown.length > MOST_BUTTONS) buttons.push({ label: verb.replaceAll("_", " "), options: shown });
    else for (const option of shown) buttons.push({ label: option[TEXT], options: [option] });
  }
  return buttons;
}

/**
 * What a click means: an order, an order with others that could be meant `instead`, a choice among
 * orders, or that a unit is picked.
 * @typedef {{act?: Option, instead?: Option[], pick?: string, choose?: Option[]}} Meaning
 */

/**
 * What a click on a unit means.
 * @param {ReturnType<typeof readMenu>} menu @param {string} unit
 * @param {string|null} own  the place where it stands, if it is one's own
 * @returns {Meaning|null}
 */
export function clickUnit(menu, unit, own = null) {
  const mine = menu.byUnit.get(unit) ?? [];
  const here = own === null ? [] : (menu.byHex.get(own) ?? []).filter((option) => option[UNIT] === null);
  if (here.length > 0) return clickStack(menu, [...here, ...mine]);
  if (mine.length === 0) return null;
  const meant = mine.filter((option) => !menu.byName.has(option[VERB]));
  if (meant.length === 0) return { choose: mine };
  if (meant.length === 1 && (mine.length === 1 || meant[0][HEX] === null)) return clickStack(menu, mine);
  if (own !== null && menu.buttons.length > 0 && mine.every((option) => option[HEX] === null)) {
    const stack = clickStack(menu, mine);
    const [first, second] = [stack.act, ...(stack.instead ?? [])].map((option) => given(menu, option));
    // What most can do, such as a move, is meant by a click; what not all of them can stays at hand.
    if (first > second && first > FEW) return stack;
  }
  const hexes = new Set(mine.map((option) => option[HEX]).filter((hex) => hex !== null));
  if (hexes.size > 1) return menu.byUnit.size > 1 ? { pick: unit } : null;
  return { choose: mine };
}

/** How often an order of this verb could be given. @param {ReturnType<typeof readMenu>} menu @param {Option|undefined} option */
const given = (menu, option) => menu.options.filter((one) => one[VERB] === option?.[VERB]).length;

/**
 * What a click on a stack means that can be given several orders: the one that most places can be
 * given, and one that wants to be read only if there is no other; the others stay at hand.
 * @param {ReturnType<typeof readMenu>} menu @param {Option[]} options
 * @returns {Meaning}
 */
function clickStack(menu, options) {
  const named = (/** @type {Option} */ option) => Number(menu.byName.has(option[VERB]));
  const [act, ...instead] = [...options].sort((one, other) => named(one) - named(other) || given(menu, other) - given(menu, one));
  return { act, instead };
}

/**
 * What a click on a hex means.
 * @param {ReturnType<typeof readMenu>} menu @param {string} hex @param {boolean} own  whether one's own units stand there
 * @returns {Meaning|null}
 */
export function clickHex(menu, hex, own = false) {
  const here = menu.byHex.get(hex);
  if (!here) return null;
  if (own && here.every((option) => option[UNIT] === null)) return clickStack(menu, here);
  return here.length === 1 ? { act: here[0] } : { choose: here };
}

/** @typedef {ReturnType<typeof readMenu>} Menu */
