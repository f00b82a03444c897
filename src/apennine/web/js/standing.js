/** How one stands, always in sight: points, what wins, the next prize; and by turn in "Situation". */

import { fill, find, h } from "./dom.js";
import { graphs } from "./graph.js";
import { ruleChip } from "./rules.js";

/** @typedef {import("./types.js").State} State */

/** A side's points against what it needs. @param {import("./types.js").Standing} standing @param {string} side */
const measured = ({ points, goals }, side) =>
  points[side] >= goals[side] ? `${points[side]}, enough to win as it stands` : `${points[side]} of the ${goals[side]} that win`;

/** @param {import("./types.js").App} app */
export function mountStanding(app) {
  const strip = find("#strip");
  const panel = find("#standing-panel");
  /** @type {import("./types.js").Chronicle|null} */
  let chronicle = null;
  /** The chapter that the chronicle goes up to, so that it is asked for once a turn. */
  let upTo = "";

  /** The place not held that lies nearest to one's own units, and its worth. @param {State} state */
  const nextPrize = ({ standing, view, you, as, sides }) => {
    const side = as ?? you[0] ?? sides[0];
    const own = (view.units ?? []).filter((/** @type {any} */ unit) => unit.side === side && unit.hex).map((/** @type {any} */ unit) => app.board.atlas.centre(unit.hex));
    const spots = own.filter(Boolean);
    let [best, near] = [/** @type {[string, number, string|null]|null} */ (null), Infinity];
    for (const prize of standing?.prizes ?? []) {
      const at = prize[2] === side ? null : app.board.atlas.centre(prize[0]);
      if (!at) continue;
      const apart = Math.min(...spots.map((/** @type {any} */ spot) => Math.hypot(spot.x - at.x, spot.y - at.y)));
      if (apart < near) [best, near] = [prize, apart];
    }
    return best;
  };
  const placeName = (/** @type {string} */ hex) => {
    const place = app.board.atlas.hex(hex)?.place;
    return place ? `${place} (${hex})` : hex;
  };

  const showStrip = (/** @type {State} */ state) => {
    const { standing, sides } = state;
    strip.hidden = !standing;
    if (!standing) return;
    const prize = nextPrize(state);
    fill(
      strip,
      h("span", { class: "strip-points" }, sides.map((side, i) => h(
        "span",
        { class: `strip-side side-${i}${standing.ahead === side ? " ahead" : ""}`, title: `${side}: ${measured(standing, side)}` },
        h("span", { class: "side-mark", "aria-hidden": "true" }),
        h("span", { class: "sr", text: `${side} ` }),
        h("strong", { text: String(standing.points[side]) }),
        standing.points[side] >= standing.goals[side]
          ? h("span", { class: "strip-goal" }, h("span", { "aria-hidden": "true", text: " ✓" }), h("span", { class: "sr", text: ", enough to win" }))
          : h("span", { class: "strip-goal" }, h("span", { class: "sr", text: " of " }), `/${standing.goals[side]}`),
      ))),
      prize && h("span", { class: "strip-prize", text: `Next: ${app.board.atlas.hex(prize[0])?.place ?? prize[0]}, worth ${prize[1]}`, title: `Next: ${placeName(prize[0])}, worth ${prize[1]}` }),
    );
    strip.title = standing.sentence;
  };

  const showPanel = (/** @type {State} */ state) => {
    const { standing, sides } = state;
    const prize = nextPrize(state);
    fill(
      panel,
      standing && [
        h("p", { class: "standing-sentence" }, standing.sentence, " ", ruleChip(standing.rule)),
        h("dl", { class: "facts" }, sides.map((side) => h(
          "div",
          {},
          h("dt", { text: side }),
          h("dd", { text: measured(standing, side) }),
        ))),
        prize && h("p", {}, "Next prize: ", h("button", { type: "button", class: "link", text: placeName(prize[0]), onclick: () => app.jump(prize[0]) }), `, worth ${prize[1]}.`),
      ],
      chronicle && graphs(chronicle.chapters, sides),
    );
  };

  /** Asked for when it is looked at, and again when a turn has ended. */
  const refresh = async () => {
    const now = `${app.live?.view.turn}|${app.live?.view.side}|${app.live?.outcome !== null}`;
    if (now === upTo || find("#panel-situation").hidden) return;
    upTo = now;
    try {
      chronicle = await app.api.chronicle();
      if (app.shown) showPanel(app.shown);
    } catch (error) {
      app.complain(error);
    }
  };

  strip.addEventListener("click", () => app.panels.show("situation"));
  app.on("tab", refresh);
  app.on("show", () => {
    if (!app.shown) return;
    showStrip(app.shown);
    showPanel(app.shown);
    refresh();
  });
}
