/** The place beside the map for what is asked about it: nothing of it covers a hex. */

import { find } from "./dom.js";

const GAP = 8;
const NEAR = 40;

/** What lies above or below other things over the board, and counts how high they are. */
const BESIDE = { prompt: "#overlays", tray: "#overlay-legend", replay: "#overlay-legend" };

/** The panel above gives way to what is docked. */
export function mountDock() {
  const dock = find("#dock");
  const log = find("#panel-log");
  const side = find("#side");
  const fit = () => {
    const height = dock.offsetHeight;
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
    // Told to those alone who ask: what the body is told, the browser tells every hex of the map.
    side.style.setProperty("--dock-room", `${height ? height + GAP : 0}px`);
    // Who was reading the newest lines goes on reading them.
    if (atEnd) log.scrollTop = log.scrollHeight;
  };
  new ResizeObserver(fit).observe(dock);
  fit();
  for (const [id, beside] of Object.entries(BESIDE)) {
    const over = find(`#${id}`);
    const measure = () => find(beside).style.setProperty(`--${id}-height`, `${over.offsetHeight}px`);
    new ResizeObserver(measure).observe(over);
    measure();
  }
}
