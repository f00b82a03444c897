/** Who holds which ground, as the game's overlay of it has it: asked for once while the position stays. */

/** The overlays of whose hexes one may say: this side has it. */
const HELD = ["control", "held"];

/** @param {import("./types.js").App} app */
export function makeHoldings(app) {
  let at = "";
  /** @type {Promise<[string, Set<string>][]>} */
  let held = Promise.resolve([]);
  return () => {
    const name = HELD.find((one) => app.board.atlas.overlays.includes(one));
    if (!name || app.replaying) return Promise.resolve([]);
    if (at !== app.live?.at) {
      at = app.live?.at ?? "";
      held = Promise.all((app.live?.sides ?? []).map(async (side) => {
        const { hexes } = await app.api.overlay(name, side, null);
        return /** @type {[string, Set<string>]} */ ([side, new Set(hexes)]);
      })).catch(() => []);
    }
    return held;
  };
}
