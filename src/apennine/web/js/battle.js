/** The battle under way: who fights whom, and whatever else the game tells of it; then how it ended,
 * until that is put away. */

import { counterPicture } from "./counters.js";
import { capital, fill, find, h, iconButton } from "./dom.js";
import { UNIT } from "./menu.js";
import { chartsOf, lossesLeft, resolution, verdict } from "./resolution.js";
import { plain } from "./wording.js";

/** What the card draws, or the map shows already. */
const DRAWN = new Set(["hex", "hexes", "from", "attacker", "attackers", "defenders"]);

/** @typedef {import("./types.js").Unit} Unit */
/** @typedef {import("./types.js").Passage} Passage */
/** @typedef {import("./types.js").Entry} Entry */

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

/** @param {import("./types.js").App} app */
export function mountBattle(app) {
  const card = find("#battle");
  /** What the card last showed, so that it need not be built again. */
  let print = "";
  /** The last battle that was fought out, and its steps. @type {{passage: Passage, entries: Entry[]}|null} */
  let fought = null;
  /** The battle that was put away. */
  let away = -1;
  /** Whether a battle that is over has been folded to its result, and by whose wish it is not. */
  let folded = false;
  /** @type {import("./types.js").Chart[]} */
  let charts = [];
  chartsOf(app.live?.game ?? "").then((all) => {
    charts = all;
    show();
  }, app.complain);

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

  const placeName = (/** @type {string} */ hex) => {
    const place = app.board.atlas.hex(hex)?.place;
    return place ? `${place} (${hex})` : hex;
  };
  const title = (/** @type {string} */ hex) => h(
    "header",
    {},
    h("h2", {}, "Battle for ", h("button", {
      type: "button",
      class: "link",
      text: placeName(hex),
      "aria-label": `Show ${placeName(hex)} on the map`,
      onclick: () => app.jump(hex),
    })),
    fought && h(
      "span",
      { class: "card-buttons" },
      (folded || isOver()) && iconButton(folded ? "unfold" : "fold", folded ? "Show the whole battle" : "Fold the battle", () => {
        folded = !folded;
        show();
      }, { class: "icon-button small-icon", "aria-expanded": String(!folded) }),
      iconButton("close", "Put the battle away", putAway, { class: "icon-button small-icon" }),
    ),
  );
  /** The battle on the card is fought out, and no other is under way. */
  const isOver = () => Boolean(fought) && !app.shown?.view.battle?.hex;
  const putAway = () => {
    away = fought?.passage.n ?? away;
    fought = null;
    print = "";
    show();
  };
  /** What the dice have decided so far, and who must still choose. */
  const report = () => {
    if (!fought) return { result: [], steps: [] };
    const { passage, entries } = fought;
    const decision = passage.open && !app.replaying ? app.shown?.decision : null;
    const left = decision ? lossesLeft(app, charts, passage, entries) : [];
    const words = passage.open ? verdict(app, charts, passage, entries) : plain(passage.text);
    return {
      // How it stands first; how it came to that below.
      result: [
        words && h("p", { class: "result", text: words }),
        left.map((words) => h("p", { class: "losses-left", text: words })),
        decision && h("p", { class: "who-chooses" }, h("strong", { text: `${decision.side}: ` }), decision.prompt),
      ],
      steps: resolution(app, charts, passage, entries),
    };
  };

  const show = () => {
    const { battle, units = [] } = app.shown?.view ?? {};
    // One that is over says nothing of the battle that is begun.
    if (battle?.hex && fought && !fought.passage.open && !fought.passage.places?.includes(battle.hex)) fought = null;
    if (battle?.hex && !fought && !app.replaying) recall();
    card.hidden = !battle?.hex && !fought;
    if (card.hidden) {
      print = "";
      fill(card);
      return;
    }
    if (!battle?.hex && fought) {
      const now = JSON.stringify([fought, folded, charts.length, app.shown?.decision?.prompt]);
      if (now === print) return;
      print = now;
      const { result, steps } = report();
      const told = folded ? [h("p", { class: "terms", text: plain(fought.passage.text) })] : [result, steps];
      fill(card, title(app.board.atlas.firstIn(fought.passage.text) ?? fought.passage.places?.[0] ?? ""), told);
      return;
    }
    folded = false;
    const glowing = app.orders.menu()?.units ?? new Set();
    const named = (/** @type {string[]} */ names) => units.filter((/** @type {Unit} */ unit) => names.includes(unit.name));
    // Who would attack as things stand counts before he is named to the rules.
    const drafted = app.orders.attack().do.map((option) => option[UNIT] ?? "");
    const attackers = named(drafted.length > 0 ? drafted : battle.attackers ?? []);
    const attacker = battle.attacker ?? app.shown?.view.side;
    const hexes = new Set(battle.hexes ?? [battle.hex]);
    const there = units.filter((/** @type {Unit} */ unit) => hexes.has(unit.hex) && unit.side !== attacker);
    const defenders = battle.defenders?.length ? named(battle.defenders) : there;
    // Those who could still be named: in a stack only one of them can be seen on the map.
    const known = new Set([...attackers, ...defenders].map((unit) => unit.name));
    const others = drafted.length > 0 ? [] : named([...glowing].filter((name) => !known.has(name)));
    const facts = Object.entries(battle).filter(([name, value]) => !DRAWN.has(name) && words(value));
    // Who attacks is said below, where each can be left out; the map shows who defends.
    const asked = app.orders.attack().could.length > 0;
    if (asked && !fought) {
      card.hidden = true;
      print = "";
      return;
    }
    const now = JSON.stringify([asked, battle, drafted, attackers, defenders, [...glowing], fought, app.shown?.decision?.prompt, charts.length]);
    if (now === print) return;
    print = now;
    const { result, steps } = report();
    fill(
      card,
      title(battle.hex),
      result,
      h(
        "div",
        { class: "parties" },
        !asked && party("Attack", attackers, glowing),
        party("Defence", defenders, glowing),
      ),
      others.length > 0 && h("section", { class: "others" }, h("h3", { text: "Can be ordered" }), row(others, glowing)),
      facts.length > 0 && h("dl", {}, facts.map(([name, value]) => h(
        "div",
        {},
        h("dt", { text: capital(name) }),
        h("dd", { text: words(value) }),
      ))),
      steps,
    );
  };

  /** A battle of the newest part of the log, as far as it has come. */
  const hear = () => {
    const last = app.live?.log.passages?.findLast((passage) => passage.battle);
    if (last && last.n !== away && (last.to > (fought?.passage.to ?? app.live?.log.from ?? 0) || last.n === fought?.passage.n)) {
      if (last.to !== fought?.passage.to) folded = false;
      fought = { passage: last, entries: app.record.between(last.n, last.to) };
    }
  };

  /** A battle that was under way before the page was opened. */
  const recall = () => {
    const last = app.live?.log.passages?.findLast((passage) => passage.battle);
    if (last?.open && last.n !== away) fought = { passage: last, entries: app.record.between(last.n, last.to) };
  };

  app.on("heard", hear);
  app.on("fought", (/** @type {{passage: Passage, entries: Entry[]}} */ told) => {
    [fought, folded] = [told, false];
    show();
  });
  // Who goes on has seen how it ended: the result stays, and gives way to what is asked now.
  app.on("acted", () => { folded = isOver(); });
  app.on("show", show);
  app.on("menu", show);
  return {
    /** The column on which the last roll was read. */
    column: () => fought?.entries.findLast((entry) => entry.column)?.column ?? "",
  };
}
