/** The lobby: games, one's own matches, open tables, saves. */

import { create, games, join, matches, mine, upload } from "./api.js";
import { toast } from "./announce.js";
import { openDialog } from "./dialog.js";
import { capital, fill, find, h } from "./dom.js";
import { newMatchForm, readForm } from "./newmatch.js";
import { openOdds } from "./odds.js";
import "./prefs.js";
import { forget, myName, remember, seats } from "./seats.js";
import { linkRow, prefFields } from "./settings.js";

const LEVELS = ["easy", "medium", "hard"];

/** @type {any[]} */
let catalogue = [];

const complain = (/** @type {any} */ error) => toast(error.message, "bad");

/** Goes to a match that has just been made; shows its invitations first. @param {any} made @param {string} game */
async function enter(made, game) {
  remember({ id: made.id, token: made.token, game, links: made.links, watch: made.watch });
  const links = Object.entries(made.links ?? {});
  if (links.length)
    await openDialog(
      "Invite your opponent",
      [
        h("p", { text: "Whoever opens this link sits down at the table. It is a key: send it to one person." }),
        links.map(([side, path]) => linkRow(side, /** @type {string} */ (path))),
      ],
      { buttons: [{ label: "To the table", value: true, kind: "primary" }] },
    );
  location.href = `/match/${made.id}`;
}

async function start(/** @type {any} */ wanted) {
  try {
    await enter(await create({ ...wanted, ...(myName() && { name: myName() }) }), wanted.game);
  } catch (error) {
    complain(error);
  }
}

/** The match that one click starts: this side against the game's own bot. */
const against = (/** @type {any} */ game, /** @type {string} */ side) => ({
  game: game.key,
  seats: Object.fromEntries(game.sides.map((/** @type {string} */ other) => [other, other === side ? "me" : "bot"])),
  guided: Boolean(game.guided),
});

async function choose(/** @type {any} */ game) {
  const form = newMatchForm(game);
  const title = [game.title, ...game.packs.map((/** @type {any} */ pack) => pack.title)].join(" · ");
  const go = await openDialog(title, form, { buttons: [{ label: "Start", value: true, kind: "primary" }] });
  if (go) start(readForm(game, form));
}

function gameCard(/** @type {any} */ game, /** @type {boolean} */ first) {
  const level = LEVELS.indexOf(game.difficulty) + 1;
  return h(
    "li",
    { class: `game${first ? " first" : ""}`, "data-game": game.key },
    h(
      "div",
      { class: "game-map" },
      h("img", { src: game.thumbnail, alt: `The map of ${game.title}`, loading: "lazy" }),
    ),
    h(
      "div",
      { class: "game-body" },
      first && h("span", { class: "ribbon", text: "Start here: guided" }),
      h("h3", { text: game.title }),
      h("p", { class: "summary", text: game.summary }),
      game.packs.map((/** @type {any} */ pack) => h(
        "p",
        { class: "pack", title: pack.source },
        "With the pack ",
        h("strong", { text: pack.title }),
      )),
      h(
        "p",
        { class: "game-facts" },
        game.length && h("span", { text: game.length }),
        level > 0 && h(
          "span",
          {},
          h(
            "span",
            { class: "level", "aria-hidden": "true" },
            LEVELS.map((_, i) => h("i", { class: i < level ? "on" : "" })),
          ),
          capital(game.difficulty),
        ),
        h("span", { text: game.scenarios.length === 1 ? `${game.scenarios[0].turns} turns` : `${game.scenarios.length} scenarios` }),
      ),
      h(
        "div",
        { class: "play-row" },
        h("span", { class: "label", id: `play-${game.key}`, text: "Play against the bot as" }),
        h(
          "div",
          { class: "play-buttons", role: "group", "aria-labelledby": `play-${game.key}` },
          game.sides.map((/** @type {string} */ side, /** @type {number} */ i) =>
            h(
              "button",
              {
                type: "button",
                class: `button${i === 0 ? " primary" : ""} side-${i}`,
                onclick: () => start(against(game, side)),
              },
              h("span", { class: "side-mark", "aria-hidden": "true" }),
              side,
            ),
          ),
        ),
      ),
      h("button", {
        type: "button",
        class: "link more",
        text: "Scenarios, opponents, optional rules …",
        "aria-label": [`More choices for ${game.title}`, ...game.packs.map((/** @type {any} */ pack) => pack.title)].join(", "),
        onclick: () => choose(game),
      }),
      game.odds && h("button", {
        type: "button",
        class: "link more",
        text: "Odds of an attack …",
        "aria-label": [`Odds of an attack in ${game.title}`, ...game.packs.map((/** @type {any} */ pack) => pack.title)].join(", "),
        onclick: () => openOdds(game.key, game.title).catch(complain),
      }),
    ),
  );
}

/** Who sits there, in a word. */
function sitter(/** @type {any} */ row, /** @type {any} */ seat) {
  if (row.my_sides?.includes(seat.side)) return "you";
  if (seat.kind === "bot") return seat.name || "bot";
  return seat.taken ? seat.name || "a player" : "free";
}

const seatLine = (/** @type {any} */ row) =>
  h(
    "p",
    { class: "who" },
    row.seats.map((/** @type {any} */ seat, /** @type {number} */ i) => [
      i ? " · " : "",
      h(
        "span",
        { class: `side-${i}` },
        h("span", { class: "side-mark", "aria-hidden": "true" }),
        `${seat.side}: ${sitter(row, seat)}`,
      ),
    ]),
  );

function scenarioOf(/** @type {any} */ row) {
  const game = catalogue.find((one) => one.key === row.game);
  const scenario = game?.scenarios.find((/** @type {any} */ one) => one.key === row.scenario)?.title ?? row.scenario;
  return [scenario, ...(game?.packs ?? []).map((/** @type {any} */ pack) => pack.title)].join(" · ");
}

function myRow(/** @type {any} */ row) {
  const tag = row.over ? "Over" : row.your_turn ? "Your turn" : row.my_sides?.length ? "Waiting" : "Watching";
  return h(
    "li",
    { class: `match-row${row.your_turn && !row.over ? " your-turn" : ""}` },
    h("h3", {}, h("a", { class: "open-match", href: `/match/${row.id}`, text: row.title })),
    h("span", { class: "tag", text: tag }),
    seatLine(row),
    h("p", { class: "who", text: `${scenarioOf(row)} · turn ${row.turn}` }),
    row.your_turn && !row.over && row.prompt && h("p", { class: "said", text: row.prompt }),
    row.over && h("button", {
      type: "button",
      class: "link forget",
      text: "Remove from this list",
      onclick: () => { forget(row.id); showMine(); },
    }),
  );
}

async function showMine() {
  const held = seats();
  const rows = held.length ? await mine(held.slice(0, 200).map(({ id, token }) => ({ id, token }))).catch(() => []) : [];
  const rank = (/** @type {any} */ row) => (row.over ? 2 : row.your_turn ? 0 : 1);
  rows.sort((/** @type {any} */ a, /** @type {any} */ b) => rank(a) - rank(b) || b.updated - a.updated);
  find("#mine-section").hidden = rows.length === 0;
  fill(find("#mine"), rows.map(myRow));
  return new Set(rows.map((/** @type {any} */ row) => row.id));
}

async function sit(/** @type {string} */ id, /** @type {string} */ side) {
  try {
    const { token } = await join(id, side, myName() || undefined);
    remember({ id, token });
    location.href = `/match/${id}`;
  } catch (error) {
    complain(error);
  }
}

async function showOpen(/** @type {Set<string>} */ known) {
  const rows = (await matches().catch(() => [])).filter((/** @type {any} */ row) => !known.has(row.id));
  find("#open-section").hidden = rows.length === 0;
  fill(
    find("#open"),
    rows.map((/** @type {any} */ row) =>
      h(
        "li",
        { class: "match-row" },
        h("h3", { text: row.title }),
        h("span", { class: "tag", text: row.over ? "Over" : `Turn ${row.turn}` }),
        seatLine(row),
        h("p", { class: "who", text: scenarioOf(row) }),
        row.origin && h("p", { class: "said", text: row.origin }),
        h(
          "div",
          { class: "row wrap" },
          row.seats.filter((/** @type {any} */ seat) => seat.kind === "open" && !seat.taken).map((/** @type {any} */ seat) => h(
            "button",
            { type: "button", class: "button", text: `Play ${seat.side}`, onclick: () => sit(row.id, seat.side) },
          )),
          h("a", { class: "button quiet-button", href: `/match/${row.id}`, text: "Watch" }),
        ),
      ),
    ),
  );
}

async function openSave(/** @type {File} */ file) {
  try {
    const text = await file.text();
    const key = JSON.parse(text.split("\n")[0] || "{}").game ?? "";
    const game = catalogue.find((one) => one.key === key);
    const choices = game ? [
      ["", "I play all sides"],
      ...game.sides.map((/** @type {string} */ side) => [
        game.sides.map((/** @type {string} */ other) => `${other}=${other === side ? "me" : "bot"}`).join(","),
        `${side}, against the bot`,
      ]),
    ] : [["", "I play all sides"]];
    const select = h(
      "select",
      { id: "save-seats" },
      choices.map(([value, words]) => h("option", { value, text: words })),
    );
    const go = await openDialog(
      "Open a save",
      h(
        "div",
        { class: "new-match" },
        h("p", { text: game ? game.title : file.name }),
        h("label", { class: "field" }, h("span", { text: "Who plays?" }), select),
      ),
      { buttons: [{ label: "Open", value: true, kind: "primary" }] },
    );
    if (go) await enter(await upload(text, select.value, myName()), key);
  } catch (error) {
    complain(error instanceof SyntaxError ? new Error("This file is not a save of Apennine.") : error);
  }
}

find("#settings-button").addEventListener(
  "click",
  () => openDialog("Settings", h("div", { class: "fields" }, prefFields())),
);
find("#upload").addEventListener("change", (/** @type {any} */ event) => {
  const [file] = event.target.files;
  event.target.value = "";
  if (file) openSave(file);
});

async function open() {
  try {
    catalogue = await games();
  } catch (error) {
    fill(find("#games"), h("li", { text: /** @type {Error} */ (error).message }));
    return;
  }
  // The easiest guided game comes first, and says so.
  const rank = (/** @type {any} */ game) => LEVELS.indexOf(game.difficulty) - (game.guided ? 0.5 : 0);
  catalogue.sort((a, b) => rank(a) - rank(b));
  fill(
    find("#games"),
    catalogue.map((game, i) => gameCard(game, i === 0 && game.guided && game.difficulty === "easy")),
  );
  await showOpen(await showMine());
  document.body.classList.add("ready");
}
open();
// Whose turn it is changes while the lobby stays open.
setInterval(() => document.visibilityState === "visible" && showMine().then(showOpen), 15000);
