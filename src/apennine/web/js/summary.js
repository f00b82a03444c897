/** The card that sums up what the others did, when this player is asked again. */

import { capital, fill, find, h, iconButton } from "./dom.js";
import { plain } from "./wording.js";

/** @typedef {import("./types.js").Passage} Passage */

/** Lines that are shown at once. */
const LINES = 12;

const counted = (/** @type {number} */ count, /** @type {string} */ noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** @param {import("./types.js").App} app */
export function mountSummary(app) {
  const card = find("#summary");
  const hide = () => { card.hidden = true; };

  const placeOf = (/** @type {string} */ hex) => app.board.atlas.hex(hex)?.place ?? "";
  /** Whether the player has one side, so that the other one is the enemy. */
  const seated = () => app.live?.you.length === 1;
  const mine = (/** @type {string} */ side) => seated() && app.live?.you.includes(side);

  /** "You lost 2 steps, they lost 4." @param {Passage[]} passages */
  const losses = (passages) => {
    const lost = new Map();
    for (const [, side, steps] of passages.flatMap((passage) => passage.losses ?? []))
      lost.set(side, (lost.get(side) ?? 0) + steps);
    if (!lost.size) return "";
    if (!seated()) return `Steps lost: ${[...lost].map(([side, steps]) => `${side} ${steps}`).join(", ")}.`;
    const told = [...lost].sort(([one], [two]) => Number(mine(two)) - Number(mine(one)));
    return `${capital(told.map(([side, steps]) => `${mine(side) ? "you" : "they"} lost ${counted(steps, "step")}`).join(", "))}.`;
  };
  /** "Pescara (3015) is yours." @param {Passage[]} passages */
  const gains = (passages) => {
    const now = new Map(passages.flatMap((passage) => passage.taken ?? []));
    const named = [...now].filter(([hex]) => placeOf(hex));
    return named.map(([hex, side]) => h(
      "li",
      {},
      link(hex, `${placeOf(hex)} (${hex})`),
      mine(side) ? " is yours." : seated() ? " is lost." : `: ${side} now.`,
    ));
  };
  const link = (/** @type {string} */ hex, /** @type {string} */ words) => h("button", {
    type: "button",
    class: "link",
    text: words,
    onclick: () => app.jump(hex),
  });

  const show = (/** @type {Passage[]} */ told) => {
    const byOthers = [...new Map(told.map((passage) => [passage.n, passage])).values()];
    const battles = byOthers.filter((passage) => passage.battle);
    const moves = byOthers.filter((passage) => !passage.battle).flatMap((passage) => passage.moves ?? []);
    const moved = moves.filter(([, path]) => path.length > 1);
    const arrived = moves.filter(([unit, path]) => path.length === 1 && !moved.some(([other]) => other === unit));
    const lost = losses(byOthers);
    card.hidden = battles.length === 0 && moves.length === 0 && !lost;
    if (card.hidden) return;
    const sides = [...new Set(byOthers.map((passage) => passage.side).filter(Boolean))];
    const what = [
      arrived.length > 0 && counted(new Set(arrived.map(([unit]) => unit)).size, "arrival"),
      moved.length > 0 && counted(new Set(moved.map(([unit]) => unit)).size, "move"),
      battles.length > 0 && counted(battles.length, "attack"),
    ].filter(Boolean).join(", ");
    const lines = byOthers.map((passage) => h(
      "li",
      { class: passage.battle ? "fought" : "" },
      h("button", {
        type: "button",
        class: "told-line",
        text: plain(passage.text),
        onclick: () => {
          const hex = passage.moves?.[0]?.[1].at(-1) ?? passage.places?.[0];
          if (hex) app.jump(hex);
          if (passage.battle) app.emit("fought", { passage, entries: app.record.between(passage.n, passage.to) });
        },
      }),
    ));
    const more = h("details", {}, h("summary", { text: `${lines.length - LINES} more` }), h("ul", {}, lines.slice(LINES)));
    fill(
      card,
      h(
        "header",
        {},
        h("h2", { text: sides.length === 1 ? `${sides[0]}: ${what || "done"}` : what || "Meanwhile" }),
        h(
          "span",
          { class: "card-buttons" },
          app.telling.canWatch() && h("button", { type: "button", class: "button small-button", text: "Watch again", onclick: () => app.telling.again() }),
          iconButton("close", "Put away", hide, { class: "icon-button small-icon" }),
        ),
      ),
      lost && h("p", { class: "told-losses", text: lost }),
      h("ul", { class: "told-gains" }, gains(byOthers)),
      h("details", { class: "told-lines" }, h("summary", { text: "What happened" }), h("ul", {}, lines.slice(0, LINES)), lines.length > LINES && more),
    );
  };

  app.on("told", show);
  app.on("telling", (/** @type {boolean} */ on) => on && hide());
  app.on("acted", hide);
}
