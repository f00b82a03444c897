/** The panels at the side, and the tabs that open them. */

import { mountChat } from "./chat.js";
import { mountForces } from "./forces.js";
import { mountLog } from "./log.js";
import { mountOrderList } from "./orderlist.js";
import { mountSituation } from "./situation.js";
import { mountStanding } from "./standing.js";
import { mountTabs } from "./tabs.js";

/** @param {import("./types.js").App} app */
export function mountPanels(app) {
  mountLog(app);
  mountStanding(app);
  mountSituation(app);
  const { inspect } = mountForces(app);
  mountChat(app);
  const tabs = mountTabs(app);
  const list = mountOrderList(app);
  return {
    inspect,
    close: tabs.close,
    small: tabs.small,
    show(/** @type {string} */ name) {
      tabs.show(name);
      if (name === "orders") list.show();
    },
  };
}
