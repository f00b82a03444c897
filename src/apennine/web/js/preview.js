/** The card that shows what an order would lead to: cost, factors, and the exact chances. */

import { capital, fill, find, h, later } from "./dom.js";
import { TEXT, UNIT } from "./menu.js";
import { chartsOf, resultBriefly } from "./resolution.js";
import { ruleChip } from "./rules.js";

const LINGER = 700;
/** Longer fractions and columns than these are read elsewhere. */
const FRACTION = 9;
const COLUMN = 14;

/** @param {number} probability */
const percent = (probability) => `${(probability * 100).toFixed(probability < 0.0995 ? 1 : 0)} %`;

/**
 * A bar for each result, as long as it is likely: a full one is certain.
 * @param {import("./types.js").Preview["chances"]} chances @param {(result: string) => string} meaning  of a result, if it needs words
 */
export function chanceBars(chances, meaning) {
  return h(
    "table",
    { class: "chances" },
    h("caption", { class: "sr", text: "The exact chance of each result" }),
    h(
      "thead",
      { class: "sr" },
      h("tr", {}, h("th", { text: "Result" }), h("th", { text: "Chance" }), h("th", { text: "Exactly" })),
    ),
    h(
      "tbody",
      {},
      chances.map(({ result, probability, exact }) => {
        const bar = h("span", { class: "bar" });
        bar.style.width = `${probability * 100}%`;
        return h(
          "tr",
          { title: exact },
          h("th", { scope: "row" }, result, meaning(result) && h("span", { class: "meaning", text: meaning(result) })),
          h("td", { class: "bar-cell" }, bar, h("span", { class: "bar-words", text: percent(probability) })),
          h("td", { class: "exact", text: exact.length > FRACTION ? "" : exact }),
        );
      }),
    ),
  );
}

/** The factors and modifiers, each with its rule. @param {import("./types.js").Preview["lines"]} lines */
export const factorLines = (lines) =>
  h(
    "dl",
    { class: "factors" },
    lines.map(({ text, value, rule }) => h(
      "div",
      {},
      h("dt", {}, capital(text), " ", ruleChip(rule)),
      h("dd", { class: /^[+]/.test(value) ? "plus" : /^[-−]/.test(value) ? "minus" : "", text: value }),
    )),
  );

/** @param {import("./types.js").App} app */
export function mountPreview(app) {
  const card = find("#preview");
  /** @type {any} */
  let idle = null;
  /** @type {import("./types.js").Chart[]} */
  let charts = [];
  chartsOf(app.live?.game ?? "").then((all) => { charts = all; }, app.complain);
  /** What a result means for who looks, where it is a code. @param {string} result */
  const meaning = (result) => {
    const { sides = [], you = [], decision, view } = app.live ?? {};
    // In a battle the defender may be asked, too: it is the attacker whose losses come first.
    const attacker = view?.battle?.attacker ?? (view?.battle ? view.side : null) ?? decision?.side ?? "";
    const named = [attacker, ...sides.filter((side) => side !== attacker)].map((side) => (you.length === 1 && you.includes(side) ? "you" : side));
    return resultBriefly(charts, result, named);
  };

  /** An order in words: the first of a stack goes with the others. @param {import("./types.js").Option|undefined} option */
  const wording = (option) => {
    const [lead, moving] = [option?.[UNIT] ?? "", app.orders.moving()];
    const text = capital(option?.[TEXT] ?? "");
    return moving.size > 1 && moving.has(lead) ? text.replace(lead, `${lead} and ${moving.size - 1} more`) : text;
  };

  const show = (/** @type {any} */ told) => {
    const { option, words = wording(option), preview, pending } = told ?? idle ?? {};
    const says = preview && (preview.cost || preview.column || preview.lines?.length || preview.chances?.length);
    card.hidden = !option || !(says || pending);
    if (card.hidden) return;
    fill(
      card,
      // What waits to be ordered has its words on the button.
      (!pending || preview?.cost) && h(
        "header",
        {},
        !pending && h("h2", { text: app.board.atlas.named(words) }),
        preview?.cost && h("span", { class: "cost", text: preview.cost }),
      ),
      // What may come of it first, then why: the reasons may be many.
      preview?.column && (preview.column.length > COLUMN
        ? h("p", { class: "quiet column-words", text: capital(preview.column) })
        : h("p", { class: "column" }, h("span", { text: "Column" }), h("strong", { text: preview.column }))),
      preview?.chances?.length > 0 && chanceBars(preview.chances, meaning),
      preview?.lines?.length > 0 && factorLines(preview.lines),
      pending &&
        h(
          "footer",
          {},
          h("button", {
            type: "button",
            class: "button primary",
            text: app.board.atlas.named(words),
            onclick: () => app.orders.order(option),
          }),
          h("button", { type: "button", class: "button", text: "Not yet", onclick: () => app.orders.drop() }),
        ),
    );
  };

  // It stays for a moment, and for as long as the pointer rests on it: its rules can be opened.
  const leave = later(() => {
    if (!card.matches(":hover") && !card.contains(document.activeElement)) show(null);
  }, LINGER);
  card.addEventListener("pointerleave", leave);
  card.addEventListener("focusout", leave);
  app.on("preview", (/** @type {any} */ told) => {
    leave.cancel();
    if (told || card.hidden || !card.querySelector(".factors")) show(told);
    else leave();
  });
  app.on("show", () => {
    leave.cancel();
    show(null);
  });
  // In a battle the odds stay in sight while it is said who attacks.
  app.on("menu", async (/** @type {import("./menu.js").Menu|null} */ menu) => {
    idle = null;
    const inBattle = app.live?.view.battle && !app.replaying;
    const attackers = app.orders.attack().do;
    const last = attackers.at(-1);
    if (last) {
      const found = await app.orders.preview(last, attackers.slice(0, -1));
      if (found?.chances?.length && app.orders.menu() === menu) {
        idle = { option: last, words: `${app.orders.fightWords()} at ${app.live?.view.battle?.hex}`, preview: found };
        show(null);
      }
      return;
    }
    const fight = inBattle ? menu?.buttons.find(({ options }) => options.length === 1)?.options[0] : null;
    if (fight) {
      const found = await app.orders.preview(fight);
      if (found?.chances?.length && app.orders.menu() === menu) {
        idle = { option: fight, preview: found, pending: false };
        if (card.hidden) show(null);
      }
    }
  });
}
