/** The pace of the bots, and a hurry that ends when this player is asked again. */

/** @param {import("./match.js").App} app @param {string} id  of the match */
export function makePace(app, id) {
  /** Where the pace is kept that the bots go back to: a hurry may outlive the page. */
  const key = `apennine.calm.${id}`;

  /** The last one asked for: one after the other, or an older one could arrive last. */
  let asked = Promise.resolve();
  const ask = (/** @type {string} */ pace) => {
    if (app.live) app.live.pace = pace;
    asked = asked.then(() => app.api.pace(pace)).catch(app.complain);
  };
  const set = (/** @type {string} */ pace) => {
    localStorage.removeItem(key);
    ask(pace);
  };
  return {
    set,
    /** Bots at once until it is this player's turn again. */
    hurry() {
      if (!localStorage.getItem(key)) localStorage.setItem(key, app.live?.pace ?? "normal");
      ask("instant");
    },
    /** After a hurry the bots take their time again. */
    calmDown() {
      const calm = localStorage.getItem(key);
      const { decision = null, outcome = null } = app.live ?? {};
      if (calm && (outcome || (decision && !decision.waiting))) set(calm);
    },
  };
}
