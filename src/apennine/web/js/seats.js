/** The seats that this browser holds: kept here and nowhere else, for there are no accounts. */

const KEY = "apennine.seats";

/** @typedef {{id: string, token: string, game?: string, when: number, links?: Record<string, string>, watch?: string, watching?: boolean}} Seat */

/** @returns {Seat[]} newest first */
export function seats() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** @param {Seat[]} kept */
function keep(kept) {
  localStorage.setItem(KEY, JSON.stringify(kept.slice(0, 100)));
}

/** Several seats of one match can be held, such as one's own and the link to watch. @param {Omit<Seat, "when">} seat */
export function remember(seat) {
  const same = (/** @type {Seat} */ other) => other.id === seat.id && other.token === seat.token;
  const kept = seats();
  keep([{ ...kept.find(same), ...seat, when: Date.now() }, ...kept.filter((other) => !same(other))]);
}

/** The seat of a match that was held last: one to play at, if there is any. @param {string} id */
export function seatOf(id) {
  const held = seats().filter((seat) => seat.id === id);
  return held.find((seat) => !seat.watching) ?? held[0];
}

/** @param {string} id */
export const forget = (id) => keep(seats().filter((seat) => seat.id !== id));

/** The name that this player goes by. */
export const myName = () => localStorage.getItem("apennine.name") ?? "";
export const setMyName = (/** @type {string} */ name) => localStorage.setItem("apennine.name", name);
