/** What the other side's turn leaves on the map: arrows along its moves, hexes left and hexes taken. */

import { fill } from "./dom.js";
import { arrow } from "./glow.js";

/** @typedef {import("./types.js").Passage} Passage */

/** @param {import("./types.js").App} app */
export function makeTrail(app) {
  const layer = () => app.board.layers.trail;

  return {
    /** Adds what a passage leaves behind. @param {Passage} passage */
    add(passage) {
      const { atlas } = app.board;
      const side = app.sideOf(passage.side ?? null);
      const ways = new Set((passage.moves ?? []).map(([, path]) => path.join(" ")).filter(Boolean));
      const left = new Set((passage.moves ?? []).filter(([, path]) => path.length > 1).map(([, path]) => path[0]).filter((hex) => hex && atlas.has(hex)));
      layer().append(
        ...[...left].map((hex) => atlas.shape(hex, { class: `vacated side-${side}` }, 0.9)),
        ...(passage.taken ?? []).filter(([hex]) => atlas.has(hex)).map(([hex, by]) => atlas.shape(
          hex,
          { class: `taken side-${app.sideOf(by)}` },
          0.9,
        )),
        ...[...ways].map((way) => arrow(atlas, way.split(" "), side)).filter((drawn) => drawn !== null),
      );
    },
    clear: () => fill(layer()),
  };
}
