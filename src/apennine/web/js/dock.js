/** The place beside the map for what is asked about it: nothing of it covers a hex. */

import { find } from "./dom.js";

const GAP = 8;
const NEAR = 40;

/** How high some things over the board are, for those that lie above or below them. */
const MEASURED = ["prompt", "tray", "replay"];

/** The panel above gives way to what is docked. */
export function mountDock() {
  const dock = find("#dock");
  const log = find("#panel-log");
  const fit = () => {
    const height = dock.offsetHeight;
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR;
    document.body.style.setProperty("--dock-room", `${height ? height + GAP : 0}px`);
    // Who was reading the newest lines goes on reading them.
    if (atEnd) log.scrollTop = log.scrollHeight;
  };
  new ResizeObserver(fit).observe(dock);
  fit();
  for (const id of MEASURED) {
    const over = find(`#${id}`);
    const measure = () => document.body.style.setProperty(`--${id}-height`, `${over.offsetHeight}px`);
    new ResizeObserver(measure).observe(over);
    measure();
  }
}
