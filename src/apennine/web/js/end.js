/** The end of a match: why, what it cost, how it went, how the dice fell; and what to do next. */

import { writeReport } from "./aftermath.js";
import { create } from "./api.js";
import { closeDialog, openDialog } from "./dialog.js";
import { h } from "./dom.js";
import { graphs } from "./graph.js";
import { ruleChip } from "./rules.js";
import { myName, remember } from "./seats.js";
import { plain } from "./wording.js";

/** @typedef {import("./types.js").ToldRoll} ToldRoll */

/** So many of the luckiest and of the unluckiest rolls are shown. */
const ROLLS = 3;

/** How much better than expected a roll was for who rolled it. @param {ToldRoll} roll */
const luck = (roll) => roll.gain - roll.expected;

/** @param {ToldRoll[]} rolls @param {string} title @param {import("./types.js").App} app */
function rollList(rolls, title, app) {
  if (rolls.length === 0) return null;
  const sign = (/** @type {number} */ value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)}`;
  return h(
    "section",
    {},
    h("h3", {}, title, h("span", { class: "quiet", text: " in steps, against what could be expected" })),
    h("ol", { class: "luck" }, rolls.map((roll) => h(
      "li",
      { class: `side-${app.sideOf(roll.side)}` },
      h("span", { class: "side-mark" }),
      h("button", {
        type: "button",
        class: "luck-text told-line",
        title: `${plain(roll.text)}: see the moment`,
        onclick: () => {
          closeDialog("end-dialog");
          app.replay.see(roll.n + 1);
        },
      }, h("strong", { text: `${roll.side}, ${roll.result}: ` }), app.board.atlas.named(plain(roll.text).split("; ")[0])),
      h("span", { class: "luck-by", title: "Steps beyond what could be expected", text: sign(luck(roll)) }),
    ))),
  );
}

/** A match like this one, with the same people in the same seats. @param {import("./types.js").App} app */
async function rematch(app) {
  const { live } = app;
  if (!live) return;
  const seats = Object.fromEntries(live.seats.map(({ side, kind, bot }) =>
    [side, live.you.includes(side) ? "me" : kind === "bot" ? `bot:${bot}` : "invite"]));
  const made = await create({ game: live.game, scenario: live.scenario, options: live.options, seats, name: myName(), guided: live.guided });
  remember({ id: made.id, token: made.token, game: live.game, links: made.links, watch: made.watch });
  location.href = `/match/${made.id}#${made.token}`;
}

/** @param {import("./types.js").App} app */
export function mountEnd(app) {
  let ended = false;
  const show = async () => {
    const { live } = app;
    if (!live?.outcome) ended = false;
    if (!live?.outcome || app.replaying || ended || app.telling.active()) return;
    ended = true;
    await open();
  };
  const open = async () => {
    const { live } = app;
    if (!live?.outcome) return;
    const { winner, reason, rule } = live.outcome;
    const mine = winner && live.you.length === 1 ? (live.you.includes(winner) ? "You have won." : "You have lost.") : "";
    const { chapters, rolls } = /** @type {import("./types.js").Chronicle} */ (await app.api.chronicle());
    const sorted = [...rolls].sort((one, other) => luck(other) - luck(one));
    const lost = live.sides.map((side) => `${side} ${chapters.reduce((sum, chapter) => sum + (chapter.lost[side] ?? 0), 0)}`);
    const turns = h("select", { "aria-label": "Turn to try again from" }, chapters.map(({ n, title, side }) => h("option", { value: n, text: `${title}: ${side}` })));
    const next = await openDialog(
      winner ? `${winner} victory` : "A draw",
      [
        h("p", { class: "verdict-reason" }, mine && h("strong", { text: `${mine} ` }), reason, " ", ruleChip(rule)),
        h("p", {}, h("strong", { text: "Steps lost: " }), lost.join(", "), "."),
        h("div", { class: "graphs" }, graphs(chapters, live.sides)),
        rollList(sorted.filter((roll) => luck(roll) > 0).slice(0, ROLLS), "The luckiest rolls", app),
        rollList(sorted.filter((roll) => luck(roll) < 0).slice(-ROLLS).reverse(), "The unluckiest rolls", app),
        live.may_roll_back && chapters.length > 0 && h(
          "p",
          { class: "row wrap try-again" },
          h("span", { text: "Try again from" }),
          turns,
          h("button", { type: "button", class: "button", text: "Try again", onclick: () => app.api.rollback(Number(turns.value)).then(() => closeDialog("end-dialog"), app.complain) }),
        ),
        live.seed && h(
          "details",
          { class: "dice-proof" },
          h("summary", { text: "The dice were fixed beforehand" }),
          h("p", {}, "Hash ", h("code", { text: live.commitment })),
          h("p", {}, "Seed ", h("code", { text: live.seed })),
        ),
      ],
      {
        buttons: [
          { label: "To the lobby", value: "lobby" },
          { label: "Download", value: "save" },
          { label: "Write report", value: "report" },
          ...(live.you.length > 0 ? [{ label: "Rematch", value: "rematch" }] : []),
          { label: "Watch it again", value: "replay", kind: "primary" },
        ],
        name: "end-dialog",
        wide: true,
      },
    );
    if (next === "replay") app.replay.toggle();
    else if (next === "save") app.download();
    else if (next === "report") writeReport(app);
    else if (next === "rematch") rematch(app).catch(app.complain);
    else if (next === "lobby") location.href = "/";
  };
  app.on("show", () => void show().catch(app.complain));
  app.on("telling", (/** @type {boolean} */ on) => !on && void show().catch(app.complain));
  return { open: () => void open().catch(app.complain) };
}
