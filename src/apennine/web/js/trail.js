/** What the other side's turn leaves on the map: arrows along its moves, hexes left and hexes taken. */

import { fill, s } from "./dom.js";

/** @typedef {import("./types.js").Passage} Passage */

/** How far an arrow keeps from the middle of the hex where it ends, as a part of the last step. */
const SHORT = 0.5;

/** @param {import("./types.js").App} app */
export function makeTrail(app) {
  const layer = () => app.board.layers.trail;

  const arrow = (/** @type {string[]} */ path, /** @type {number} */ side) => {
    const points = path.map((code) => app.board.atlas.centre(code)).filter((point) => point !== null);
    if (points.length < 2) return null;
    const [before, end] = points.slice(-2);
    points[points.length - 1] = {
      x: end.x + (before.x - end.x) * SHORT,
      y: end.y + (before.y - end.y) * SHORT,
    };
    const line = points.map(({ x, y }) => `${x},${y}`).join(" ");
    return s(
      "g",
      { class: `trail-way side-${side}`, "data-way": path.join(" ") },
      s("polyline", { class: "trail-case", points: line }),
      s("polyline", { class: "trail-line", points: line, "marker-end": "url(#trail-head)" }),
    );
  };

  return {
    /** Adds what a passage leaves behind. @param {Passage} passage */
    add(passage) {
      const { atlas } = app.board;
      const side = app.sideOf(passage.side ?? null);
      const ways = new Set((passage.moves ?? []).map(([, path]) => path.join(" ")).filter(Boolean));
      const left = new Set((passage.moves ?? []).map(([, path]) => path[0]).filter((hex) => hex && atlas.has(hex)));
      layer().append(
        ...[...left].map((hex) => atlas.shape(hex, { class: `vacated side-${side}` }, 0.9)),
        ...(passage.taken ?? []).filter(([hex]) => atlas.has(hex)).map(([hex, by]) => atlas.shape(
          hex,
          { class: `taken side-${app.sideOf(by)}` },
          0.9,
        )),
        ...[...ways].map((way) => arrow(way.split(" "), side)).filter((drawn) => drawn !== null),
      );
    },
    clear: () => fill(layer()),
  };
}
