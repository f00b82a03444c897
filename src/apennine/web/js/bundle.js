/** Several small orders that one click has given: they run one after the other, and one undo takes
 * all of them back. */

/** @typedef {import("./types.js").Option} Option */
/** @typedef {{start: string, end: string, steps: number}} Bundle  from which state to which */

/** @param {import("./types.js").App} app */
export function makeBundles(app) {
  /** @type {Bundle[]} */
  let bundles = [];
  /** The one that an order would be added to. @type {Bundle|null} */
  let open = null;
  let running = 0;

  /** The last bundle, if nothing has happened since. */
  const last = () => (bundles.at(-1)?.end === app.live?.at ? bundles.at(-1) : undefined);

  return {
    running: () => running > 0,
    /** Runs some orders; meanwhile nothing is drawn. @template T @param {() => Promise<T>} work */
    async run(work) {
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
        if (running === 0 && app.live && !app.replaying && !app.telling.active()) app.display(app.live);
      }
    },
    /** One order more has led from one state to the next. @param {string} start @param {boolean} joined  to the last one */
    add(start, joined) {
      const end = app.live?.at ?? "";
      open = joined && bundles.at(-1)?.end === start ? (bundles.at(-1) ?? null) : null;
      if (!open) {
        open = { start, end, steps: 0 };
        bundles = [...bundles.slice(-40), open];
      }
      open.end = end;
      open.steps += 1;
    },
    last,
    /** Takes back the last bundle, or a single order where there is none. */
    async undo() {
      const bundle = last();
      const start = bundle?.start ?? "";
      await this.run(async () => {
        for (let left = bundle?.steps ?? 1; left > 0; left -= 1) {
          if (!(await app.takeBack())) break;
          if (app.live?.at === start) break;
        }
      });
      if (bundle) bundles.pop();
    },
    /** Takes back some orders of the last bundle. @param {number} steps @returns {Promise<boolean>} */
    async shorten(steps) {
      const bundle = last();
      for (let left = steps; left > 0; left -= 1) {
        if (!bundle || !(await app.takeBack())) return false;
        bundle.steps -= 1;
        bundle.end = app.live?.at ?? "";
      }
      if (bundle?.steps === 0) bundles.pop();
      return true;
    },
  };
}
