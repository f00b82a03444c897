/** The log: every choice, roll and event, with links that jump to the hex. */

import { capital, find, h } from "./dom.js";
import { dieFace } from "./dice.js";
import { ruleChip } from "./rules.js";

/** @param {import("./match.js").App} app */
export function mountLog(app) {
  const list = find("#log");
  let drawn = 0;
  let last = "";

  /** Text in which hexes and units that the board knows are links. @param {import("./types.js").Entry} entry */
  const linked = (entry) => {
    const parts = [];
    let rest = capital(entry.text);
    const called = entry.hex && nameOf(entry.hex);
    if (entry.hex && called && rest.includes(called)) {
      const at = rest.indexOf(called);
      parts.push(rest.slice(0, at), hexLink(entry.hex));
      rest = rest.slice(at + called.length);
    } else if (entry.hex && app.board.atlas.centre(entry.hex)) {
      parts.push(rest, " ", hexLink(entry.hex));
      rest = "";
    }
    parts.push(rest);
    return parts;
  };
  const nameOf = (/** @type {string} */ hex) => app.board.atlas.boxes.get(hex)?.title || hex;
  const hexLink = (/** @type {string} */ hex) => h("button", {
    type: "button",
    class: "link",
    text: nameOf(hex),
    "aria-label": `Show ${nameOf(hex)} on the map`,
    onclick: () => app.jump(hex),
  });

  const row = (/** @type {import("./types.js").Entry} */ entry) => {
    const isTurn = entry.kind === "event" && /^turn \d+$/.test(entry.text);
    const side = entry.side ? ` side-${app.sideOf(entry.side)}` : "";
    const item = h("li", { class: `entry ${entry.kind}${isTurn ? " new-turn" : ""}${side}`, "data-n": entry.n });
    if (entry.kind === "rolled")
      item.append(
        h(
          "span",
          { class: "dice", "aria-hidden": "true" },
          (entry.faces ?? []).map((face, i) => dieFace(face, entry.sides?.[i] ?? 6)),
        ),
        h(
          "span",
          { class: "words" },
          `${(entry.faces ?? []).join(", ")} for ${entry.purpose ?? "the dice"} `,
          ruleChip(entry.rule),
        ),
      );
    else
      item.append(
        entry.side ? h("span", {
          class: "side-mark",
          title: entry.side,
          role: "img",
          "aria-label": entry.side,
        }) : "",
        h("span", { class: "words" }, linked(entry), " ", isTurn ? null : ruleChip(entry.rule)),
      );
    return item;
  };

  find("#log-older").addEventListener("click", () => app.olderEntries().catch(app.complain));
  app.on("show", () => {
    const state = app.shown;
    if (!state) return;
    const entries = app.entries();
    const print = `${app.replaying}|${state.as}|${app.logAge}`;
    if (print !== last || entries.length < drawn) {
      list.replaceChildren();
      drawn = 0;
      last = print;
    }
    const scroller = list.parentElement;
    const atEnd = scroller.scrollTop + scroller.clientHeight > scroller.scrollHeight - 40;
    const fresh = document.createDocumentFragment();
    for (const entry of entries.slice(drawn)) fresh.append(row(entry));
    list.append(fresh);
    drawn = entries.length;
    if (atEnd) scroller.scrollTop = scroller.scrollHeight;
    find("#log-empty").hidden = drawn > 0;
    find("#log-older").hidden = app.replaying || app.firstEntry() === 0;
  });
}
