/** What this player's orders have led to, in the words of the story, for those who listen. */

/** @param {import("./types.js").App} app */
export function makeVoice(app) {
  let heard = app.live?.log.from ?? 0;
  /** What is new in the story of one's own orders. @returns {string} */
  return () => {
    const { from = 0, passages = [], entries = [] } = app.live?.log ?? {};
    heard = Math.min(heard, from);
    const fresh = passages.filter((passage) => !passage.open && passage.to > heard && app.live?.you.includes(passage.side ?? ""));
    heard = from + entries.length;
    return fresh.slice(-2).map(({ text }) => text).join(". ");
  };
}
