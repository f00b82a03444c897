/** The rulebook: every rule of the game in our words, by chapter, searchable; the charts beside it. */

import { charts as askCharts, games as askGames, rules as askRules } from "./api.js";
import { chartTable, inOrder } from "./charts.js";
import { openDialog } from "./dialog.js";
import { capital, h } from "./dom.js";
import { grouped } from "./menu.js";

/** @typedef {{id: string, scope: string, kind: string, obligation: string}} Rule */

const DOUBT = "AMBIGUOUS: ";
const OTHER = "Other";

/** Kinds of rules whose word in the ledger is short. @type {Record<string, string>} */
const KINDS = {
  advance: "advance after combat",
  air: "air power",
  component: "the parts of the game",
  fog: "hidden units",
  map: "the map",
  naval: "ships",
  reinforcement: "reinforcements",
  replacement: "replacements",
  sequence: "the order of play",
  setup: "set-up",
  special: "special rules",
  zoc: "zones of control",
};

/** The chapter of a rule: what its own number begins with, "8" or "C12". @param {string} id */
const chapterOf = (id) => id.match(/^[A-Z]?\d+/)?.[0] ?? OTHER;

/** A rule as it stands in the book. @param {Rule} rule @param {string} scope  where it holds, if not everywhere */
function row(rule, scope) {
  const ruling = rule.obligation.startsWith(DOUBT);
  const text = ruling ? rule.obligation.slice(DOUBT.length) : rule.obligation;
  return h(
    "li",
    { id: `book-${rule.id}`, "data-rule": rule.id, tabindex: "-1" },
    h("strong", { class: "book-number", text: rule.id }),
    h(
      "span",
      {},
      ruling && h("span", { class: "stamp", text: "ruling" }),
      text.charAt(0).toUpperCase() + text.slice(1),
      scope && h("span", { class: "quiet", text: ` (${scope})` }),
    ),
  );
}

/** What a chapter is about, by the kinds that most of its rules have. @param {Rule[]} rules */
function subject(rules) {
  const kinds = [...grouped(rules, (rule) => rule.kind)].sort((a, b) => b[1].length - a[1].length);
  return capital(kinds.slice(0, 3).map(([kind]) => KINDS[kind] ?? kind).join(", "));
}

/**
 * Opens the rulebook, at a rule if one is named.
 * @param {string} game @param {string} title @param {string} [at]
 */
export async function openRulebook(game, title, at) {
  /** @type {[Rule[], import("./types.js").Chart[], {key: string, scenarios: {key: string, title: string}[]}[]]} */
  const [rules, charts, catalogue] = await Promise.all([askRules(game), askCharts(game), askGames()]);
  const scenarios = new Map(catalogue.find(({ key }) => key === game)?.scenarios.map(({ key, title: name }) => [`scenario:${key}`, name]));
  const scopeOf = (/** @type {Rule} */ { scope }) =>
    (scope === "core" ? "" : scenarios.has(scope) ? `only in ${scenarios.get(scope)}` : scope === "optional" ? "an optional rule" : scope);
  const chapters = [...grouped(rules, (rule) => chapterOf(rule.id))];
  chapters.sort(([one], [other]) => Number(one === OTHER) - Number(other === OTHER));
  const sections = chapters.map(([number, some]) => h(
    "section",
    { class: "book-chapter", "data-chapter": number },
    h("h3", {}, h("span", { class: "book-chapter-number", text: number }), subject(some)),
    h("ol", { class: "book-rules" }, some.map((rule) => row(rule, scopeOf(rule)))),
  ));
  const found = h("p", { class: "quiet", role: "status", text: `${rules.length} rules` });
  const search = (/** @type {string} */ words) => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const section of sections) {
      let any = false;
      for (const item of section.querySelectorAll("li")) {
        const text = item.textContent.toLowerCase();
        item.hidden = !wanted.every((word) => text.includes(word));
        if (!item.hidden) {
          any = true;
          count += 1;
        }
      }
      section.hidden = !any;
    }
    found.textContent = wanted.length ? `${count} of ${rules.length} rules` : `${rules.length} rules`;
  };
  const goTo = (/** @type {Element|undefined} */ place) => {
    place?.scrollIntoView({ block: "start" });
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  };
  const shown = openDialog(
    `Rulebook of ${title}`,
    h(
      "div",
      { class: "book" },
      h(
        "div",
        { class: "book-text" },
        h(
          "div",
          { class: "book-head" },
          h(
            "label",
            { class: "filter" },
            h("span", { class: "sr", text: "Find a rule" }),
            h("input", {
              id: "book-filter",
              type: "search",
              placeholder: "Find a rule by its number or its words",
              autocomplete: "off",
              oninput: (/** @type {any} */ event) => search(event.target.value),
            }),
          ),
          h(
            "nav",
            { class: "book-chapters", "aria-label": "Chapters" },
            chapters.map(([number, some], k) => h("button", {
              type: "button",
              class: "link",
              text: number,
              title: subject(some),
              "aria-label": `Chapter ${number}: ${subject(some)}`,
              onclick: () => goTo(sections[k]),
            })),
          ),
          found,
        ),
        sections,
      ),
      h(
        "aside",
        { class: "book-charts", "aria-label": "Charts" },
        h("h3", { text: "Charts" }),
        inOrder(charts).map((chart, k) => h("details", { open: k === 0 }, h("summary", { text: chart.title }), chartTable(chart))),
      ),
    ),
    { wide: true, name: "book-dialog" },
  );
  if (at) {
    const rule = sections.flatMap((section) => [...section.querySelectorAll("li")]).find((item) => item.dataset.rule === at);
    rule?.classList.add("meant");
    goTo(rule);
  }
  return shown;
}
