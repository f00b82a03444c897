/** Sets of hexes laid over the map: what the game offers, several at a time, and what has changed. */

import { capital, fill, find, h } from "./dom.js";
import { showAreas, showChanged } from "./glow.js";
import { say } from "./announce.js";

/** What the overlays show that many games have. @type {Record<string, string>} */
const MEANING = {
  zone: "its zone of control",
  supply: "where its units are in supply, or the way of the unit's supplies",
  reach: "where the unit that was clicked could go",
  column: "where the unit that was clicked could go in column",
  control: "the ground that it holds",
  held: "the ground that it holds",
  threats: "what the enemy could threaten with its next move",
  friendly: "the ground that counts as friendly to it",
  bonds: "where pairs of its units let no enemy through",
  command: "where its headquarters command",
  guns: "where its guns reach",
  trenches: "where there are trenches",
  forts: "where its forts are",
  "fort lines": "what lies along the fortified lines",
  "fort sites": "where a fort may be built",
  "gustav line": "the hexes of the Gustav Line",
  "drop zone": "where its paratroops may land",
  "line of communications": "what a line from the first prize reaches",
  "automatic victory": "its stacks on which the enemy could bring 7-1",
  "river banks": "where the unit that was clicked may leave its river, or all river hexes",
  "playing area": "the part of the map that is played on",
};

/** @typedef {{name: string, side: string, hexes: string[]}} Overlay */

/** @param {import("./types.js").App} app */
export function mountOverlays(app) {
  const card = find("#overlays");
  const legend = find("#overlay-legend");
  /** In the order in which they were laid. @type {Overlay[]} */
  let chosen = [];
  let changed = false;
  let count = 0;

  const same = (/** @type {Overlay} */ one, /** @type {string} */ name, /** @type {string} */ side) =>
    one.name === name && one.side === side;
  const words = (/** @type {Overlay} */ { name, side }) => `${capital(name)}, ${side}`;

  const show = async () => {
    count += 1;
    const mine = count;
    const wanted = app.live && !app.replaying ? chosen : [];
    try {
      const found = await Promise.all(wanted.map(async (one) => {
        const { hexes } = await app.api.overlay(one.name, one.side, app.selected);
        return { ...one, hexes };
      }));
      if (mine !== count) return;
      showAreas(app.board, found.map(({ side, hexes }) => ({ hexes, side: app.sideOf(side) })));
      label(found);
    } catch (error) {
      app.complain(/** @type {any} */ (error));
    }
  };

  /** Says on the board what lies over it. @param {Overlay[]} found */
  const label = (found) => {
    legend.hidden = found.length === 0 && !changed;
    fill(
      legend,
      found.map((one, index) => h(
        "li",
        { class: `side-${app.sideOf(one.side)}` },
        h("span", { class: `swatch weave-${index % 4}`, "aria-hidden": "true" }),
        h("strong", { text: words(one) }),
        h("span", { text: [MEANING[one.name], one.hexes.length ? `${one.hexes.length} hexes` : "no hex"].filter(Boolean).join("; ") }),
      )),
      changed && !app.replaying && h("li", {}, h("span", { class: "swatch swatch-changed" }), h("strong", { text: "Changed since my last turn" }), h("span", { text: "arrows: from where units came" })),
    );
  };

  const press = (/** @type {string} */ name, /** @type {string} */ side) => {
    const on = !chosen.some((one) => same(one, name, side));
    chosen = on ? [...chosen, { name, side, hexes: [] }] : chosen.filter((one) => !same(one, name, side));
    say(`Overlay ${on ? "on" : "off"}: ${name}, ${side}`);
    draw();
    show();
  };
  const draw = () => {
    const sides = app.live?.sides ?? [];
    const focus = card.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
    fill(
      card,
      h("h2", { text: "Over the map" }),
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col" }, h("span", { class: "sr", text: "Overlay" })),
            sides.map((side) => h(
              "th",
              { scope: "col", class: `side-${app.sideOf(side)}` },
              h("span", { class: "side-mark", "aria-hidden": "true" }),
              side,
            )),
          ),
        ),
        h(
          "tbody",
          {},
          app.board.atlas.overlays.map((name) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, capital(name), MEANING[name] && h("span", { class: "overlay-meaning", text: MEANING[name] })),
              sides.map((side) => h(
                "td",
                { class: `side-${app.sideOf(side)}` },
                h("button", {
                  type: "button",
                  class: "toggle",
                  "aria-pressed": String(chosen.some((one) => same(one, name, side))),
                  "aria-label": `${name}, ${side}`,
                  onclick: () => press(name, side),
                }),
              )),
            ),
          ),
        ),
      ),
      h(
        "label",
        { class: "check" },
        h("input", {
          type: "checkbox",
          id: "show-changed",
          checked: changed,
          onchange: (/** @type {any} */ event) => { changed = event.target.checked; mark(); show(); },
        }),
        "What changed since my last turn",
      ),
      chosen.length > 0 && h("button", {
        type: "button",
        class: "link",
        text: "Take all off",
        onclick: () => {
          chosen = [];
          draw();
          show();
        },
      }),
    );
    if (focus) card.querySelector(`[aria-label="${CSS.escape(focus)}"]`)?.focus();
  };
  const mark = () => {
    const { changed: hexes = [], came = [] } = (changed && !app.replaying && app.live) || {};
    app.board.drawing.classList.toggle("shows-changes", came.length > 0);
    showChanged(app.board, hexes, came.map(([from, to, side]) => ({ way: [from, to], side: app.sideOf(side) })));
  };

  app.on("show", () => {
    mark();
    if (chosen.length > 0 || !legend.hidden) show();
  });
  app.on("select", () => chosen.length > 0 && show());
  return {
    toggle() {
      card.hidden = !card.hidden;
      if (!card.hidden) {
        draw();
        card.querySelector("button")?.focus();
      }
      find("#overlays-button").setAttribute("aria-expanded", String(!card.hidden));
    },
    close() {
      const was = !card.hidden;
      card.hidden = true;
      find("#overlays-button").setAttribute("aria-expanded", "false");
      return was;
    },
    /** Switches an overlay by its place in the list, for the keyboard. @param {number} index */
    nth(index) {
      const name = app.board.atlas.overlays[index];
      const side = app.live?.as ?? app.live?.sides[0];
      if (name && side) press(name, side);
    },
    changes() {
      changed = !changed;
      say(changed ? "Changes since my last turn are shown" : "Changes are no longer shown");
      mark();
      show();
      if (!card.hidden) draw();
    },
  };
}
