/** Sets of hexes laid over the map: what the game offers, and what has changed. */

import { fill, find, h } from "./dom.js";
import { showArea, showChanged } from "./glow.js";
import { say } from "./announce.js";

/** @param {import("./match.js").App} app */
export function mountOverlays(app) {
  const card = find("#overlays");
  /** @type {{name: string, side: string}|null} */
  let chosen = null;
  let changed = false;
  let count = 0;

  const show = async () => {
    const state = app.live;
    count += 1;
    const mine = count;
    if (!chosen || !state || app.replaying) {
      showArea(app.board, [], 0);
      return;
    }
    try {
      const { hexes } = await app.api.overlay(chosen.name, chosen.side, app.selected);
      if (mine !== count) return;
      showArea(app.board, hexes, app.sideOf(chosen.side));
      const none = app.selected ? "No hex." : "No hex. Some overlays need a unit: click one.";
      find("#overlay-note").textContent = hexes.length ? `${hexes.length} hexes` : none;
    } catch (error) {
      app.complain(/** @type {any} */ (error));
    }
  };

  const press = (/** @type {string} */ name, /** @type {string} */ side) => {
    chosen = chosen?.name === name && chosen.side === side ? null : { name, side };
    say(chosen ? `Overlay: ${name}, ${side}` : "Overlay off");
    draw();
    show();
  };
  const draw = () => {
    const sides = app.live?.sides ?? [];
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
              h("th", { scope: "row", text: name.charAt(0).toUpperCase() + name.slice(1) }),
              sides.map((side) => {
                const on = chosen?.name === name && chosen.side === side;
                return h(
                  "td",
                  { class: `side-${app.sideOf(side)}` },
                  h("button", {
                    type: "button",
                    class: "toggle",
                    "aria-pressed": String(on),
                    "aria-label": `${name}, ${side}`,
                    onclick: () => press(name, side),
                  }),
                );
              }),
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
          onchange: (/** @type {any} */ event) => { changed = event.target.checked; mark(); },
        }),
        "What changed since my last turn",
      ),
      h("p", { class: "quiet", id: "overlay-note", text: "" }),
    );
  };
  const mark = () => showChanged(app.board, changed && !app.replaying ? (app.live?.changed ?? []) : []);

  app.on("show", () => {
    mark();
    show();
  });
  app.on("select", () => show());
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
      if (!card.hidden) draw();
    },
  };
}
