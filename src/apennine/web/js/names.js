/** Names of places that counters lie on: written once more where they can be read, and taken off the
 * map below so long, so that no half of a name looks out from under a counter. */

import { s } from "./dom.js";
import { SIZE } from "./counters.js";

/** So far below the middle of a hex its name is written: below its counters and their markers, or below its dot. */
const BELOW = { markers: 32, counters: 25, dot: 15 };
/** Less than this of a name under a counter does not matter. */
const SLIVER = 2;

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box */
/** @typedef {{text: any, name: string, hex: string, box: Box}} Label */

const overlap = (/** @type {Box} */ one, /** @type {Box} */ other) =>
  Math.min(one.right, other.right) - Math.max(one.left, other.left) > SLIVER &&
  Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > SLIVER;

/** @param {any} layer @param {import("./atlas.js").Atlas} atlas */
export function makeNames(layer, atlas) {
  /** The names as they are printed. @type {Label[]|null} */
  let labels = null;

  const read = () => [...atlas.drawing.querySelectorAll("#layer-names .label")].flatMap((text) => {
    const { x, y, width, height } = text.getBBox();
    const middle = { x: x + width / 2, y: y + height / 2 };
    const hex = atlas.nearest(text.textContent, middle);
    return hex ? [{ text, name: text.textContent, hex, box: { left: x, top: y, right: x + width, bottom: y + height } }] : [];
  });

  return {
    /** @param {string[]} places  that have counters @param {Set<string>} marked  that have markers */
    show(places, marked) {
      labels ??= read();
      const [half, taken] = [SIZE / 2 + 1, new Set(places)];
      const covers = places.flatMap((place) => {
        const at = atlas.hex(place);
        return at ? [{ left: at.x - half, right: at.x + half, top: at.y - half, bottom: at.y + half }] : [];
      });
      const covered = labels.filter(({ box }) => covers.some((cover) => overlap(box, cover)));
      for (const { text } of labels) text.classList.remove("covered");
      for (const { text } of covered) text.classList.add("covered");
      layer.replaceChildren(...covered.map(({ hex, name }) => {
        const { x, y } = atlas.hex(hex);
        return s("text", { x, y: y + BELOW[!taken.has(hex) ? "dot" : marked.has(hex) ? "markers" : "counters"], text: name });
      }));
    },
  };
}
