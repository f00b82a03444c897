/** What comes from the server: a new state is joined to what is known, shown, and its news told. */

import { say, toast } from "./announce.js";
import { makeTelling } from "./telling.js";

/** @typedef {import("./types.js").State} State */

/** More new entries than these are not news: the page was away. */
const MANY = 60;

/** @param {import("./types.js").App} app */
export function makeArrivals(app) {
  /** What has just happened: dice, and words for those who do not see the board. */
  const news = (/** @type {import("./types.js").Entry[]} */ entries) => {
    if (app.replaying || entries.length === 0) return;
    app.emit("news", entries);
    const theirs = entries.filter((entry) => entry.side && !app.live?.you.includes(entry.side));
    const words = theirs.map((entry) => `${entry.side}: ${entry.text}`);
    if (words.length) say(words.slice(-3).join(". "));
    app.emit("unread", "log");
  };

  const take = (/** @type {State} */ state, /** @type {boolean} */ shown) => {
    const before = app.live;
    const fresh = app.record.join(state);
    app.live = state;
    app.emit("heard");
    if (!app.replaying && shown) app.display(state);
    if (before && fresh.length < MANY) news(fresh);
  };
  app.telling = makeTelling(app, take);
  app.on("acted", app.telling.forget);

  return {
    /** The first state, when the table is laid. @param {State} state */
    first(state) {
      app.record.join(state);
      app.telling.begin(state);
      app.display(state);
      const others = state.seats.some(({ side, kind }) => kind !== "bot" && !state.you.includes(side));
      if (state.uploaded && others) toast(state.notes[0] ?? "");
    },
    /** Each one after it. @param {State} state */
    hear: app.telling.hear,
  };
}
