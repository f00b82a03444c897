/** The game's charts, with those that are reconstructed marked so, and the key of the map. */

import { openDialog } from "./dialog.js";
import { capital, h, s } from "./dom.js";
import { chartsOf } from "./resolution.js";
import { ruleChip } from "./rules.js";

const RECONSTRUCTED =
  "A chart marked as reconstructed stands in for a printed one: it agrees with every result " +
  "that the rules reveal, but its other numbers are our own.";

/** Cells with more letters than these are sentences, and break. */
const LONG = 26;

/** A chart as a table, with its source. @param {import("./types.js").Chart} chart @param {string} [column]  that is lit: of the battle under way */
export function chartTable(chart, column = "") {
  const lit = (/** @type {number} */ i) => i > 0 && column !== "" && chart.columns[i] === column && "lit";
  return h(
    "section",
    { class: `chart${chart.reconstructed ? " reconstructed" : ""}` },
    h(
      "h3",
      {},
      chart.title,
      ruleChip(chart.rule),
      chart.reconstructed && h("span", { class: "stamp", text: "reconstructed" }),
    ),
    h(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": chart.title },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, chart.columns.map((name, i) => h("th", { scope: "col", class: lit(i), text: capital(name) })))),
        h(
          "tbody",
          {},
          chart.rows.map((row) => h(
            "tr",
            {},
            row.map((cell, i) => h(i ? "td" : "th", {
              ...(i === 0 && { scope: "row" }),
              class: [lit(i), String(cell ?? "").length > LONG && "words"].filter(Boolean).join(" "),
              text: String(cell ?? ""),
            })),
          )),
        ),
      ),
    ),
    chart.note && h("p", { class: "note", text: chart.note }),
    chart.source && h("p", { class: "source", text: `Source: ${chart.source}` }),
  );
}

/** Charts in the order in which one looks for them: how battles go, how units move, all else. */
const WANTED = [/combat|fire|result|determined/i, /shift|modif/i, /movement|march/i];

/** @param {import("./types.js").Chart[]} charts */
export function inOrder(charts) {
  const place = (/** @type {import("./types.js").Chart} */ { title }) => {
    const found = WANTED.findIndex((words) => words.test(title));
    return found < 0 ? WANTED.length : found;
  };
  return [...charts].sort((one, other) => place(one) - place(other));
}

/** The legend of the map, as large as it was drawn. @param {import("./atlas.js").Atlas} atlas */
function mapKey(atlas) {
  if (!atlas.legend) return null;
  const [title, card, ...credits] = [...atlas.legend.children];
  const words = credits.map((line) => line.textContent).join(" ");
  const drawing = s("svg", {
    class: "apennine-map map-key",
    "data-theme": document.documentElement.dataset.theme,
    role: "img",
    "aria-label": `Key of the map: ${title?.textContent}`,
  });
  if (card) drawing.append(card.cloneNode(true));
  return h(
    "section",
    { class: "chart" },
    h("h3", { text: "Key of the map" }),
    h("div", { class: "scroll" }, drawing),
    h("p", { class: "source", text: words }),
  );
}

/** @param {string} game @param {string} title @param {import("./atlas.js").Atlas} atlas @param {string} column  to be lit */
export async function openCharts(game, title, atlas, column) {
  const all = await chartsOf(game);
  const some = all.some((/** @type {any} */ chart) => chart.reconstructed);
  const key = mapKey(atlas);
  const shown = openDialog(
    `Charts of ${title}`,
    [
      some && h("p", {
        class: "quiet",
        text: RECONSTRUCTED,
      }),
      inOrder(all).map((chart) => chartTable(chart, column)),
      key,
    ],
    { wide: true, name: "charts-dialog" },
  );
  const drawing = /** @type {SVGSVGElement|null} */ (key?.querySelector("svg") ?? null);
  if (drawing) {
    const { x, y, width, height } = drawing.getBBox();
    drawing.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    drawing.setAttribute("width", String(width * 1.3));
    drawing.setAttribute("height", String(height * 1.3));
  }
  return shown;
}
