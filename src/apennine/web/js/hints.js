/** Hints of a guided game: each shown the first time that its question is asked. */

import { guide } from "./api.js";
import { fill, find, h } from "./dom.js";
import { prefer, prefs } from "./prefs.js";
import { ruleChip } from "./rules.js";
import { say } from "./announce.js";

/** @param {import("./types.js").App} app */
export async function mountHints(app) {
  const card = find("#hint");
  const key = `apennine.hints.${app.live?.game}`;
  const seen = new Set(JSON.parse(localStorage.getItem(key) ?? "[]"));
  /** @type {{title: string, text: string, rule?: string, phase?: string, verb?: string}[]} */
  const hints = await guide(app.live?.game ?? "").catch(() => []);

  const fits = (/** @type {typeof hints[number]} */ hint) => {
    const { decision, view } = app.live ?? {};
    if (!decision || decision.waiting) return false;
    const phase = !hint.phase || hint.phase.toLowerCase() === String(view?.phase ?? "").toLowerCase();
    return phase && (!hint.verb || decision.options.some(([verb]) => verb === hint.verb));
  };
  const show = () => {
    const wanted = app.live?.guided && !app.replaying && prefs().hints === "on";
    const hint = wanted ? hints.find((one) => !seen.has(one.title) && fits(one)) : null;
    card.hidden = !hint;
    if (!hint || card.dataset.title === hint.title) return;
    card.dataset.title = hint.title;
    const done = hints.filter((one) => seen.has(one.title)).length;
    fill(
      card,
      h("p", { class: "hint-count", text: `Hint ${done + 1} of ${hints.length}` }),
      h("h2", { text: hint.title }),
      h("p", {}, hint.text, " ", ruleChip(hint.rule)),
      h(
        "footer",
        {},
        h("button", { type: "button", class: "button primary", text: "Got it", onclick: () => close(hint.title) }),
        h("button", {
          type: "button",
          class: "link",
          text: "No more hints",
          onclick: () => { prefer("hints", "off"); close(hint.title); },
        }),
      ),
    );
    say(`Hint: ${hint.title}. ${hint.text}`);
  };
  const close = (/** @type {string} */ title) => {
    seen.add(title);
    localStorage.setItem(key, JSON.stringify([...seen]));
    card.hidden = true;
    delete card.dataset.title;
    show();
  };
  app.on("show", () => {
    // A hint whose question has been answered has done its work.
    const open = hints.find((one) => one.title === card.dataset.title);
    if (open && !card.hidden && !fits(open)) close(open.title);
    else show();
  });
  show();
}
