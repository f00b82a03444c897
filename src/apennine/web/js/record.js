/** The log as far as this page knows it: states bring its newest part, older ones are asked for. */

/** @typedef {import("./types.js").Entry} Entry */

/** Older entries that are asked for at once. */
const PART = 500;

/** @param {import("./types.js").App} app */
export function makeRecord(app) {
  /** @type {Entry[]} */
  let log = [];
  /** The number of the first entry that is known. */
  let start = 0;
  return {
    /** Those of the moment that is shown. */
    entries: () => (app.replaying ? (app.shown?.log.entries ?? []) : log),
    /** The number of the first of `entries`. */
    first: () => (app.replaying ? (app.shown?.log.from ?? 0) : start),
    /** The entries from one number up to another, as far as they are known. @param {number} from @param {number} to */
    between: (from, to) => log.slice(Math.max(0, from - start), Math.max(0, to - start)),
    /** How many entries there are. */
    end: () => start + log.length,
    /** Joins the part that came with a state to what is known. @param {import("./types.js").State} state */
    join(state) {
      const { from, entries } = state.log;
      const end = start + log.length;
      if (from < start || from > end) {
        [log, start] = [[], from];
        app.logAge += 1;
      } else if (from < end) {
        log.length = from - start;
        app.logAge += 1;
      }
      log.push(...entries);
      return entries;
    },
    async older() {
      const part = await app.api.log(Math.max(0, start - PART), start);
      log.unshift(...part.entries);
      start = part.from;
      app.logAge += 1;
      app.emit("older", part);
      app.emit("show");
    },
  };
}
