/** The panel at the side: tabs on a desk, sheets on a phone. */

import { find } from "./dom.js";

/** @param {import("./types.js").App} app */
export function mountTabs(app) {
  const side = find("#side");
  const tabs = /** @type {HTMLElement[]} */ ([...side.querySelectorAll("[role=tab]")]);
  const small = matchMedia("(max-width: 760px)");

  const nameOf = (/** @type {HTMLElement} */ tab) => tab.id.replace("tab-", "");
  const show = (/** @type {string} */ name, open = true) => {
    for (const tab of tabs) {
      const on = nameOf(tab) === name;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      find(`#panel-${nameOf(tab)}`).hidden = !on;
      if (on) tab.classList.remove("unread");
    }
    side.dataset.tab = name;
    side.classList.toggle("open", open);
    app.emit("tab", name);
    if (name === "log") find("#panel-log").scrollTop = find("#panel-log").scrollHeight;
    if (name === "chat" && open && !small.matches) find("#chat-text").focus({ preventScroll: true });
  };
  for (const tab of tabs)
    tab.addEventListener("click", () => {
      // A second tap on a phone puts the sheet away.
      const away = small.matches && side.classList.contains("open") && side.dataset.tab === nameOf(tab);
      show(nameOf(tab), !away);
    });
  find("[role=tablist]", side).addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const now = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!by) return;
    const next = tabs[(now + by + tabs.length) % tabs.length];
    show(nameOf(next));
    next.focus();
    event.preventDefault();
  });
  app.on("unread", (/** @type {string} */ name) => {
    if (side.dataset.tab !== name || (small.matches && !side.classList.contains("open"))) find(`#tab-${name}`).classList.add("unread");
  });
  show("log", false);
  return { show, close: () => side.classList.remove("open"), small: () => small.matches };
}
