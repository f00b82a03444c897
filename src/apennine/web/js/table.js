/** The table: the board, and all that lies on it or hangs over it. */

import { mountBattle } from "./battle.js";
import { makeBoard } from "./board.js";
import { mountCourtesy } from "./courtesy.js";
import { mountDice } from "./dice.js";
import { mountCloser } from "./closer.js";
import { mountDock } from "./dock.js";
import { find } from "./dom.js";
import { listenToDrags } from "./drag.js";
import { mountEnd } from "./end.js";
import { makeHand } from "./hand.js";
import { mountInHand } from "./inhand.js";
import { mountOrders } from "./orders.js";
import { mountOverlays } from "./overlays.js";
import { dressRoot } from "./prefs.js";
import { mountPreview } from "./preview.js";
import { mountPrompt } from "./prompt.js";
import { mountReplay } from "./replay.js";
import { mountSight } from "./sight.js";
import { mountSummary } from "./summary.js";
import { insets } from "./viewpoint.js";

/** @param {import("./types.js").App} app @param {import("./atlas.js").Atlas} atlas */
export function layTable(app, atlas) {
  app.board = makeBoard(find("#board"), atlas, insets, makeHand(app));
  dressRoot();
  app.orders = mountOrders(app);
  mountPrompt(app);
  mountInHand(app);
  const sight = mountSight(app);
  mountPreview(app);
  mountCloser(app);
  mountDock();
  listenToDrags(app);
  app.battle = mountBattle(app);
  mountCourtesy(app);
  mountDice(app);
  mountSummary(app);
  app.end = mountEnd(app);
  app.overlays = mountOverlays(app);
  app.replay = mountReplay(app);
  return { sight };
}
