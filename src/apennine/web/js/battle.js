/** The battle under way: who fights whom, and whatever else the game tells of it. */

import { counterPicture } from "./counters.js";
import { capital, fill, find, h } from "./dom.js";

/** What the card draws, or the map shows already. */
const DRAWN = new Set(["hex", "from", "attacker", "attackers", "defenders"]);

/** @typedef {import("./types.js").Unit} Unit */

/** A value in words; empty if there is nothing to say. @param {any} value @returns {string} */
function words(value) {
  if (value === true) return "yes";
  if (Array.isArray(value)) {
    // Two shots of the same unit are one item with its number.
    const items = value.map((item) => (Array.isArray(item) ? item.map(words).join(" ") : words(item))).filter(Boolean);
    return [...new Set(items)].map((item) => {
      const times = items.filter((other) => other === item).length;
      return times > 1 ? `${times} × ${item}` : item;
    }).join(", ");
  }
  if (value && typeof value === "object") return Object.entries(value)
    .filter(([, inner]) => words(inner))
    .map(([name, inner]) => `${name} ${words(inner)}`)
    .join(", ");
  return value ? String(value) : "";
}

/** @param {import("./match.js").App} app */
export function mountBattle(app) {
  const card = find("#battle");
  /** What the card last showed, so that it need not be built again. */
  let print = "";

  const piece = (/** @type {Unit} */ unit, /** @type {boolean} */ glows) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: `battle-unit${glows ? " glows" : ""}`,
          "data-name": unit.name,
          title: unit.title || unit.name,
          "aria-label": unit.title || unit.name,
          onclick: (/** @type {Event} */ event) => {
            if (!app.orders.unit(unit.name, event) && unit.hex) app.jump(unit.hex);
          },
          onpointerenter: () => app.orders.hover({ unit: unit.name, hex: null }),
          onfocus: () => app.orders.hover({ unit: unit.name, hex: null }),
        },
        counterPicture(unit, app.sideOf(unit.side)),
      ),
    );
  const row = (/** @type {Unit[]} */ units, /** @type {Set<string>} */ glowing) =>
    h("ul", {}, units.map((unit) => piece(unit, glowing.has(unit.name))));
  const party = (/** @type {string} */ title, /** @type {Unit[]} */ units, /** @type {Set<string>} */ glowing) =>
    h(
      "section",
      {},
      h("h3", { text: title }),
      units.length > 0 ? row(units, glowing) : h("p", { class: "quiet", text: "nobody yet" }),
    );

  const show = () => {
    const { battle, units = [] } = app.shown?.view ?? {};
    card.hidden = !battle?.hex;
    if (card.hidden) {
      print = "";
      return;
    }
    const glowing = app.orders.menu()?.units ?? new Set();
    const named = (/** @type {string[]} */ names) => units.filter((/** @type {Unit} */ unit) => names.includes(unit.name));
    const attackers = named(battle.attackers ?? []);
    const attacker = battle.attacker ?? app.shown?.view.side;
    const there = units.filter((/** @type {Unit} */ unit) => unit.hex === battle.hex && unit.side !== attacker);
    const defenders = battle.defenders?.length ? named(battle.defenders) : there;
    // Those who could still be named: in a stack only one of them can be seen on the map.
    const known = new Set([...attackers, ...defenders].map((unit) => unit.name));
    const others = named([...glowing].filter((name) => !known.has(name)));
    const facts = Object.entries(battle).filter(([name, value]) => !DRAWN.has(name) && words(value));
    const now = JSON.stringify([battle, attackers, defenders, [...glowing]]);
    if (now === print) return;
    print = now;
    fill(
      card,
      h("h2", {}, "Battle for ", h("button", {
        type: "button",
        class: "link",
        text: battle.hex,
        "aria-label": `Show ${battle.hex} on the map`,
        onclick: () => app.jump(battle.hex),
      })),
      h(
        "div",
        { class: "parties" },
        party("Attack", attackers, glowing),
        party("Defence", defenders, glowing),
      ),
      others.length > 0 && h("section", { class: "others" }, h("h3", { text: "Can be ordered" }), row(others, glowing)),
      facts.length > 0 && h("dl", {}, facts.map(([name, value]) => h(
        "div",
        {},
        h("dt", { text: capital(name) }),
        h("dd", { text: words(value) }),
      ))),
    );
  };

  // It hangs below the prompt, however many lines that has.
  new ResizeObserver(() => {
    const room = `${find("#prompt").offsetHeight}px`;
    // On these two alone: from higher up the whole map would inherit it, and be styled anew.
    for (const below of [card, find("#preview")]) below.style.setProperty("--prompt-room", room);
  }).observe(find("#prompt"));
  app.on("show", show);
  app.on("menu", show);
}
