/** The keyboard's focus on the board: it walks along the front, and stays with the board after an order. */

/** @typedef {import("./atlas.js").Point} Point */
/** @typedef {{element: HTMLElement, place: string, at: Point}} Stop */

/** @param {import("./types.js").App} app */
export function makeWalk(app) {
  const { atlas, pieces, drawing } = app.board;
  /** Whether the focus is on the board, or was until what had it went away. */
  let here = false;
  let last = "";

  /** What can be ordered: a stop for each stack, and for each hex. @returns {Stop[]} */
  const stops = () => {
    const found = new Map();
    for (const element of drawing.querySelectorAll(".counter-layer [tabindex='0'], .glow-layer [tabindex='0']")) {
      const { unit = null, hex = null } = element.dataset;
      const place = hex ?? pieces.place(unit);
      const at = place ? atlas.centre(place) : null;
      // The counter on top comes last, and stands for its stack.
      if (place && at) found.set(unit ? `unit ${place}` : `hex ${place}`, { element, place, at });
    }
    return inLine([...found.values()]);
  };

  const go = (/** @type {Stop|undefined} */ stop) => {
    if (!stop) return;
    last = stop.place;
    stop.element.focus({ preventScroll: true });
  };
  /** The stop nearest to a place. @param {Stop[]} all @param {string} place */
  const nearest = (all, place) => {
    const from = atlas.centre(place);
    if (!from) return all[0];
    const far = (/** @type {Stop} */ { at }) => Math.hypot(at.x - from.x, at.y - from.y);
    return all.reduce((best, stop) => (far(stop) < far(best) ? stop : best), all[0]);
  };

  drawing.addEventListener("focusin", (/** @type {FocusEvent} */ event) => {
    const { unit = null, hex = null } = /** @type {any} */ (event.target).dataset;
    here = true;
    last = hex ?? pieces.place(unit) ?? last;
  });
  document.addEventListener("focusin", (event) => {
    if (!drawing.contains(/** @type {Node} */ (event.target))) here = false;
  });
  document.addEventListener("pointerdown", () => (here = false), true);
  app.on("menu", () => {
    const lost = document.activeElement === document.body || !document.activeElement?.isConnected;
    if (here && lost) go(nearest(stops(), last));
  });

  return {
    /** To the next stop, or to one before. @param {number} by */
    step(by) {
      const all = stops();
      if (all.length === 0) return;
      const now = all.findIndex(({ element, place }) =>
        element === document.activeElement || (here && place === last && document.activeElement?.contains(element)));
      if (now < 0 && last) go(nearest(all, last));
      else go(all[(now + by + all.length) % all.length]);
    },
  };
}

/** In the order of the front: along the line by which the stops lie farthest apart. @param {Stop[]} stops */
function inLine(stops) {
  const mean = (/** @type {(stop: Stop) => number} */ of) => stops.reduce((sum, stop) => sum + of(stop), 0) / (stops.length || 1);
  const [mx, my] = [mean(({ at }) => at.x), mean(({ at }) => at.y)];
  const xx = mean(({ at }) => (at.x - mx) ** 2);
  const yy = mean(({ at }) => (at.y - my) ** 2);
  const xy = mean(({ at }) => (at.x - mx) * (at.y - my));
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  // From the left, or from the top where the front runs up and down.
  const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
  const sign = Math.abs(dx) >= Math.abs(dy) ? Math.sign(dx) : Math.sign(dy);
  const along = (/** @type {Stop} */ { at }) => sign * (at.x * dx + at.y * dy);
  return stops.sort((one, other) => along(one) - along(other));
}
