/** The units: what stands in a hex, and what is off the map. */

import { counterPicture } from "./counters.js";
import { capital, fill, find, h } from "./dom.js";
import { grouped } from "./menu.js";

/** @typedef {import("./types.js").Unit} Unit */

/** @param {import("./types.js").App} app */
export function mountForces(app) {
  const tray = find("#tray");
  let place = "";
  /** What the tray last showed, so that it need not be built again. */
  let print = "";

  const card = (/** @type {Unit} */ unit, { small = false, act = false } = {}) => {
    const lines = [
      [unit.troops, unit.size].filter(Boolean).join(" "),
      Object.entries(unit.factors ?? {}).map(([name, value]) => `${name} ${value}`).join(", "),
      unit.full && unit.full > 1 ? `${unit.steps} of ${unit.full} steps` : "",
      (unit.status ?? []).join(", "),
    ].filter(Boolean);
    const words = h(
      "span",
      { class: "unit-words" },
      h("strong", { text: unit.name }),
      unit.title && unit.title !== unit.name ? h("span", { text: unit.title }) : null,
      small ? null : h("span", { class: "quiet", text: lines.join(" · ") }),
    );
    const picture = counterPicture(unit, app.sideOf(unit.side));
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: `unit-card${act ? " glows" : ""}`,
          "data-name": unit.name,
          onclick: (/** @type {Event} */ event) => press(unit, event),
          onpointerenter: () => app.orders.hover({ unit: unit.name, hex: null }),
          onfocus: () => app.orders.hover({ unit: unit.name, hex: null }),
        },
        picture,
        words,
      ),
    );
  };
  const press = (/** @type {Unit} */ unit, /** @type {Event} */ event) => {
    if (app.orders.unit(unit.name, event)) return;
    if (unit.hex) app.jump(unit.hex);
    app.select(unit.name);
  };

  const units = () => /** @type {Unit[]} */ (app.shown?.view.units ?? []);

  const showStack = () => {
    const here = place ? units().filter((unit) => app.board.pieces.placeOf(unit) === place) : [];
    const markers = /** @type {any[]} */ (app.shown?.view.markers ?? []).filter((marker) => marker.hex === place);
    const glows = app.orders.menu()?.units ?? new Set();
    fill(
      find("#stack"),
      place
        ? [
            h(
              "h3",
              {},
              h("button", { type: "button", class: "link", text: place, onclick: () => app.jump(place) }),
              " ",
              h("span", {
                class: "quiet",
                text: capital(app.board.atlas.about(place).replace(`${place}, `, "").replace(place, "")),
              }),
            ),
            markers.length > 0 && h("p", { class: "quiet", text: markers.map(({ title }) => title).join(", ") }),
            here.length > 0 ? h(
              "ul",
              { class: "unit-list" },
              here.map((unit) => card(unit, { act: glows.has(unit.name) })),
            ) : h("p", { class: "quiet", text: "No unit stands here." }),
          ]
        : h("p", { class: "quiet", text: "Click a hex to see what stands in it." }),
    );
  };

  const showAway = () => {
    const away = units().filter((unit) => !unit.hex);
    const bySide = grouped(away, (unit) => unit.side);
    const glows = app.orders.menu()?.units ?? new Set();
    fill(
      find("#away"),
      [...bySide].map(([side, theirs]) =>
        h(
          "section",
          { class: `side-${app.sideOf(side)}` },
          h("h3", {}, h("span", { class: "side-mark", "aria-hidden": "true" }), `${side}, off the map`),
          [...grouped(theirs, (unit) => unit.where ?? "off the map")].map(([where, some]) =>
            h(
              "details",
              { open: some.some((unit) => glows.has(unit.name)) },
              h("summary", {}, capital(where), " ", h("span", { class: "count", text: String(some.length) })),
              h(
                "ul",
                { class: "unit-list" },
                some.map((unit) => card(unit, { small: true, act: glows.has(unit.name) })),
              ),
            ),
          ),
        ),
      ),
    );
  };

  /** Units that can be ordered but lie off the map come to hand at the lower edge of the board. */
  const showTray = () => {
    const menu = app.orders.menu();
    const wanted = units().filter((unit) => !app.board.pieces.placeOf(unit) && menu?.units.has(unit.name));
    const now = JSON.stringify([wanted, app.orders.picked()]);
    if (now === print) return;
    print = now;
    tray.hidden = wanted.length === 0;
    fill(
      tray,
      h("h2", { class: "sr", text: "Units off the map that can be chosen" }),
      h("ul", {}, wanted.map((unit) => {
        const item = card(unit, { small: true, act: true });
        item.firstChild.classList.toggle("picked", app.orders.picked() === unit.name);
        return item;
      })),
    );
  };

  app.on("show", () => {
    showStack();
    showAway();
  });
  app.on("menu", () => {
    showTray();
    showStack();
    showAway();
  });
  return {
    /** Shows what stands in a place. @param {string} code */
    inspect(code) {
      place = code;
      showStack();
    },
  };
}
