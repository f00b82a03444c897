/** The odds explorer: an attack put together from nothing, or in one's own match; its exact chances,
 * and what each shift, each support and each unit would change. */

import * as api from "./api.js";
import { openDialog } from "./dialog.js";
import { capital, fill, h, later } from "./dom.js";
import { chanceBars, factorLines } from "./preview.js";
import { rulesOf } from "./rules.js";

/** @typedef {import("./types.js").SandTable} SandTable */
/** @typedef {import("./types.js").Odds} Odds */
/** @typedef {{name: string, side: string}} Troop */

const PAUSE = 250;

/** A chance as it stands in a table. @param {number} chance */
const percent = (chance) => (chance ? `${(100 * chance).toFixed(chance < 0.0995 ? 1 : 0)} %` : "–");

/** The attack and all that lies next to it, a line each. @param {Odds} odds */
function comparison({ now, others }) {
  if (!now) return null;
  const rows = [now, ...others];
  const results = [...new Set(rows.flatMap(({ chances }) => chances.map(({ result }) => result)))];
  const columns = rows.some(({ column }) => column && column !== now.column);
  return h(
    "section",
    { class: "odds-others" },
    h("h3", { text: "What would change it" }),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "What would change it" },
      h(
        "table",
        {},
        h("thead", {}, h(
          "tr",
          {},
          h("th", { scope: "col", text: "Attack" }),
          columns && h("th", { scope: "col", text: "Column" }),
          results.map((result) => h("th", { scope: "col", text: capital(result) })),
        )),
        h("tbody", {}, rows.map(({ name, column, chances }, i) => h(
          "tr",
          { class: i === 0 ? "now" : "" },
          h("th", { scope: "row", text: i === 0 ? "As it stands" : capital(name) }),
          columns && h("td", { text: column }),
          results.map((result) => h("td", { text: percent(chances.find((one) => one.result === result)?.probability ?? 0) })),
        ))),
      ),
    ),
  );
}

/** What was found. @param {Odds} odds */
const answer = (odds) => odds.now && [
  odds.now.column && h("p", { class: "column" }, h("span", { text: "Column" }), h("strong", { text: capital(odds.now.column) })),
  chanceBars(odds.now.chances, () => ""),
  odds.lines.length > 0 && factorLines(odds.lines),
  comparison(odds),
];

/** A part that asks anew whenever something in it is changed, and shows what it is told.
 * @param {any} form @param {() => Promise<Odds>} ask @param {(odds: Odds) => void} [heard] */
function explorer(form, ask, heard = () => {}) {
  const told = h("div", { class: "odds-told", role: "status" });
  let asked = 0;
  const refresh = later(async () => {
    const nth = ++asked;
    try {
      const odds = await ask();
      if (nth !== asked) return;
      heard(odds);
      fill(told, odds.refused ? h("p", { class: "odds-refused", text: odds.refused }) : answer(odds));
    } catch (error) {
      if (nth === asked) fill(told, h("p", { class: "odds-refused", text: /** @type {Error} */ (error).message }));
    }
  }, PAUSE);
  form.addEventListener("input", refresh);
  refresh();
  return { part: h("div", { class: "odds" }, form, told), refresh };
}

/** Units that are put on the table, each to be taken off again. @param {string} title @param {string} id @param {Troop[]} troops @param {() => void} changed */
function picker(title, id, troops, changed) {
  /** @type {string[]} */
  const names = [];
  const list = h("ul", { class: "odds-picked", "aria-label": title });
  const show = () => {
    fill(list, names.map((name, i) => h(
      "li",
      {},
      h("button", {
        type: "button",
        class: "button",
        text: `${name} ×`,
        "aria-label": `Take ${name} off`,
        onclick: () => {
          names.splice(i, 1);
          show();
          changed();
        },
      }),
    )));
  };
  const sides = [...new Set(troops.map(({ side }) => side))];
  const choice = h(
    "select",
    {
      id,
      onchange: (/** @type {any} */ event) => {
        if (event.target.value) names.push(event.target.value);
        event.target.value = "";
        show();
      },
    },
    h("option", { value: "", text: "Add a unit …" }),
    sides.map((side) => h("optgroup", { label: side }, troops.filter((one) => one.side === side).map(({ name }) => h("option", { value: name, text: name })))),
  );
  return { names, part: h("div", { class: "odds-picker" }, h("label", { for: id, text: title }), choice, list) };
}

/** @param {import("./types.js").SandKnob} knob */
const knobField = ({ key, title, least, most, usual, rule }) => {
  const words = h("span", {}, capital(title), rule && h("span", { class: "count", text: ` § ${rule}` }));
  return least === 0 && most === 1
    ? h("label", { class: "check" }, h("input", { type: "checkbox", name: key, checked: usual > 0 }), words)
    : h("label", { class: "odds-number" }, h("input", { type: "number", name: key, min: least, max: most, value: usual }), words);
};

/** An attack from nothing. @param {string} game @param {SandTable} table */
function fromNothing(game, { knobs, troops, note }) {
  const changed = () => shown.refresh();
  const attackers = picker("Attackers", "odds-attackers", troops, changed);
  const defenders = picker("Defenders", "odds-defenders", troops, changed);
  const groups = [...new Set(knobs.map(({ group }) => group))];
  const form = h(
    "form",
    { class: "odds-form", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    attackers.part,
    defenders.part,
    groups.map((group) => h("fieldset", {}, h("legend", { text: group }), knobs.filter((knob) => knob.group === group).map(knobField))),
    note && h("p", { class: "quiet", text: note }),
  );
  /** What units add is no longer set by hand: a strength that stands as it usually is counts for nothing then. */
  const values = () => Object.fromEntries(knobs.flatMap(({ key, usual }) => {
    const field = form.elements.namedItem(key);
    const value = field.type === "checkbox" ? Number(field.checked) : Number(field.value || 0);
    return value === usual ? [] : [[key, value]];
  }));
  const shown = explorer(form, () => api.odds(game, { values: values(), attackers: attackers.names, defenders: defenders.names }));
  return shown.part;
}

/** An attack in one's own match. @param {import("./types.js").App} app @param {Odds} first */
function inMatch(app, first) {
  let [target, units] = [first.targets[0], /** @type {string[]} */ ([])];
  const who = h("fieldset", { class: "odds-able" });
  const form = h(
    "form",
    { class: "odds-form", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    h("label", { class: "field" }, h("span", { text: "What is attacked" }), h(
      "select",
      {
        name: "target",
        onchange: (/** @type {any} */ event) => {
          [target, units] = [event.target.value, []];
        },
      },
      first.targets.map((hex) => h("option", { value: hex, text: app.board.atlas.named(hex) })),
    )),
    who,
  );
  const heard = (/** @type {Odds} */ { able, named }) => {
    who.hidden = able.length === 0;
    // Those who are on the page stay, so that the focus does.
    if (who.dataset.able === JSON.stringify([target, able])) return;
    who.dataset.able = JSON.stringify([target, able]);
    fill(who, h("legend", { text: "Who attacks" }), able.map((unit) => h("label", { class: "check" }, h("input", {
      type: "checkbox",
      name: unit,
      checked: named.includes(unit),
      onchange: () => {
        units = [...who.querySelectorAll("input:checked")].map((/** @type {any} */ one) => one.name);
      },
    }), unit)));
  };
  return explorer(form, () => app.api.odds({ target, units }), heard).part;
}

/** @param {string} game @param {string} title @param {import("./types.js").App|null} [app]  of the match that one looks at */
export async function openOdds(game, title, app = null) {
  const own = app?.live?.decision && !app.live.decision.waiting ? await app.api.odds({ target: "", units: [] }).catch(() => null) : null;
  const table = await api.sandTable(game);
  rulesOf(game, title);
  const parts = [
    ...(own?.targets.length ? [["In this match", () => inMatch(/** @type {any} */ (app), own)]] : []),
    ["From nothing", () => fromNothing(game, table)],
  ];
  const body = h("div", {});
  const show = (/** @type {number} */ i) => fill(body, /** @type {any} */ (parts[i])[1]());
  show(0);
  const content = [
    parts.length > 1 && h("fieldset", { class: "odds-from" }, h("legend", { class: "sr", text: "Which attack" }), parts.map(([words], i) => h(
      "label",
      { class: "check" },
      h("input", { type: "radio", name: "odds-from", checked: i === 0, onchange: () => show(i) }),
      words,
    ))),
    body,
  ];
  return openDialog(`Odds: ${title}`, content, { wide: true, name: "odds-dialog" });
}
