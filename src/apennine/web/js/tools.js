/** The buttons of the top bar, and the keys that do the same. */

import { openBattleOrder } from "./battleorder.js";
import { openCharts } from "./charts.js";
import { find } from "./dom.js";
import { mountKeyboard, openHelp } from "./keyboard.js";
import { mountNotice } from "./notice.js";
import { openOdds } from "./odds.js";
import { openRulebook } from "./rulebook.js";
import { openMenu } from "./settings.js";
import { mountSound } from "./sound.js";

/** @param {import("./types.js").App} app @param {ReturnType<typeof import("./sight.js").mountSight>} sight */
export function mountTools(app, sight) {
  const { game = "", title = "" } = app.live ?? {};
  const charts = () => openCharts(game, title, app.board.atlas, app.battle.column()).catch(app.complain);
  const menu = () => openMenu(app, { book, charts, forces, odds, help: openHelp });
  const odds = () => openOdds(game, title, app).catch(app.complain);
  const book = () => openRulebook(game, title).catch(app.complain);
  const forces = () => openBattleOrder(app).catch(app.complain);
  mountSound(app);
  mountNotice(app);
  mountKeyboard(app, { tab: app.panels.show, menu, charts, book, forces, reveal: sight.revealMost, clear: sight.clear });
  find("#overlays-button").addEventListener("click", () => app.overlays.toggle());
  find("#replay-button").addEventListener("click", () => app.replay.toggle());
  find("#charts-button").addEventListener("click", charts);
  find("#book-button").addEventListener("click", book);
  find("#forces-button").addEventListener("click", forces);
  find("#help-button").addEventListener("click", openHelp);
  find("#menu-button").addEventListener("click", menu);
}
