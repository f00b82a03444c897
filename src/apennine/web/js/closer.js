/** A closer look at what one points at: the hex, who holds it, every unit in it and what it did. */

import { counterPicture } from "./counters.js";
import { capital, fill, find, h, later } from "./dom.js";
import { totals } from "./strength.js";

/** @typedef {import("./types.js").Unit} Unit */

const LONG_PRESS = 450;
const SLIP = 12;

/** @param {import("./types.js").App} app */
export function mountCloser(app) {
  const card = find("#closer");
  const { pieces, atlas, drawing } = app.board;
  let place = "";

  /** The passages that tell of moves, by their number. @type {Map<number, import("./types.js").Passage>} */
  const told = new Map();
  /** Where the turns of the sides began. @type {import("./types.js").Chapter[]} */
  let turns = [];
  const hear = () => {
    const { from, passages = [], chapters = [] } = app.live?.log ?? { from: 0 };
    const [cut, begun] = [passages[0]?.n ?? from, chapters[0]?.n ?? from];
    for (const n of told.keys()) if (n >= cut) told.delete(n);
    for (const passage of passages) if (passage.moves?.length) told.set(passage.n, passage);
    turns = [...turns.filter(({ n }) => n < begun), ...chapters];
  };
  app.on("heard", hear);
  hear();

  /** What the story has of a unit since its side's last turn began. @param {Unit} unit */
  const did = (unit) => {
    const since = turns.findLast(({ side }) => side === unit.side)?.n ?? 0;
    const found = [...told.values()].filter(({ n, moves = [] }) => n >= since && moves.some(([name]) => name === unit.name));
    return app.replaying ? "" : (found.at(-1)?.text ?? "");
  };

  const row = (/** @type {Unit} */ unit) => {
    const factors = Object.entries(unit.factors ?? {}).map(([name, value]) => `${name} ${value}`).join(", ");
    const steps = unit.full && unit.full > 1 ? `${unit.steps} of ${unit.full} steps` : "";
    const words = [[unit.troops, unit.size].filter(Boolean).join(" "), factors, steps, (unit.status ?? []).join(", ")];
    const story = did(unit);
    return h(
      "li",
      {},
      counterPicture(unit, app.sideOf(unit.side)),
      h(
        "div",
        {},
        h("p", {}, h("strong", { text: unit.title || unit.name })),
        h("p", { class: "terms", text: words.filter(Boolean).join(" · ") }),
        story && h("p", { class: "did", text: story }),
      ),
    );
  };

  const show = async (/** @type {string} */ code) => {
    const stack = pieces.stack(code);
    const owners = (await app.holdings()).filter(([, hexes]) => hexes.has(code)).map(([side]) => side);
    if (place !== code) return;
    const hex = atlas.hex(code);
    const title = hex?.place ? `${hex.place} (${code})` : hex ? `Hex ${code}` : atlas.about(code);
    const markers = /** @type {any[]} */ (app.shown?.view.markers ?? []).filter((marker) => marker.hex === code);
    const terms = [hex ? capital(hex.terrain) : "", owners.length ? `held by ${owners.join(" and ")}` : "", ...markers.map((marker) => marker.title)];
    fill(
      card,
      h("h2", { text: title }),
      h("p", { class: "terms", text: terms.filter(Boolean).join(" · ") }),
      stack.length > 1 && h("p", {}, h("strong", { text: totals(stack) })),
      h("ul", {}, stack.toReversed().map(row)),
    );
    card.hidden = false;
  };
  const look = later((/** @type {string} */ code) => show(code), 90);
  const leave = later(() => {
    if (place === "" && !card.matches(":hover")) card.hidden = true;
  }, 250);

  const point = (/** @type {string|null} */ code) => {
    if ((code ?? "") === place) return;
    place = code ?? "";
    if (place) look(place);
    else leave();
  };
  app.on("hover", (/** @type {{hex: string|null, unit: string|null}} */ { hex, unit }) => point(pieces.place(unit) ?? hex));
  app.on("show", () => place && !card.hidden && show(place));
  card.addEventListener("pointerleave", leave);
  drawing.addEventListener("focusin", (/** @type {FocusEvent} */ event) => {
    const { unit = null, hex = null } = /** @type {any} */ (event.target).dataset;
    // After a click the pointer says what is looked at, wherever the focus has gone.
    const byKey = /** @type {Element} */ (event.target).matches(":focus-visible");
    if (byKey && !app.panels.small()) point(hex ?? pieces.place(unit));
  });

  // A finger that stays looks closer, and gives no order when it leaves.
  let press = 0;
  let looked = false;
  let start = { x: 0, y: 0 };
  const board = find("#board");
  board.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    looked = false;
    clearTimeout(press);
    if (event.pointerType !== "touch" || /** @type {Element} */ (event.target).closest(".over-board")) {
      return;
    }
    const box = board.getBoundingClientRect();
    const at = app.board.camera.onMap(event.clientX - box.left, event.clientY - box.top);
    start = { x: event.clientX, y: event.clientY };
    press = setTimeout(() => {
      looked = true;
      place = "";
      point(atlas.hexAt(at.x, at.y));
    }, LONG_PRESS);
  });
  const lift = () => clearTimeout(press);
  board.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > SLIP) lift();
  });
  board.addEventListener("pointerup", lift);
  board.addEventListener("pointercancel", lift);
  board.addEventListener("contextmenu", (/** @type {Event} */ event) => looked && event.preventDefault());
  board.addEventListener("click", (/** @type {Event} */ event) => {
    if (looked) {
      event.stopPropagation();
      event.preventDefault();
    } else if (app.panels.small()) point(null);
    looked = false;
  }, true);
}
