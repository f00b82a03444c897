/** The page of a match: opens the line, and lays the table when the first state has come. */

import { say, toast } from "./announce.js";
import { games } from "./api.js";
import { makeApp } from "./app.js";
import { makeArrivals } from "./arrivals.js";
import { loadAtlas } from "./atlas.js";
import { find } from "./dom.js";
import { mountHints } from "./hints.js";
import { mountPanels } from "./panels.js";
import { rulesOf } from "./rules.js";
import { remember, seatOf } from "./seats.js";
import { layTable } from "./table.js";
import { mountTools } from "./tools.js";
import { lookFirst } from "./viewpoint.js";

/** @typedef {import("./types.js").State} State */

const id = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const given = location.hash.slice(1);
// The address in the bar is then safe to show: it no longer carries the seat. This tab keeps it.
if (given) history.replaceState({ token: given }, "", location.pathname);
const token = given || history.state?.token || seatOf(id)?.token || "";

const catalogue = games();
let begun = false;
let ready = false;
/** States that came before the table was laid. @type {State[]} */
const early = [];

const app = makeApp(id, token, {
  state(state) {
    if (ready) arrivals.hear(state);
    else if (begun) early.push(state);
    else {
      begun = true;
      begin(state).catch((error) => {
        find("#offline").hidden = false;
        find("#offline").textContent = error.message;
        throw error;
      });
    }
  },
  chat: (message) => app.emit("chat", message.chat ?? message),
  presence(message) {
    if (app.live && message.seats) app.live.seats = message.seats;
    app.emit("presence");
  },
  line(open, fatal) {
    find("#offline").hidden = open;
    find("#offline").textContent = fatal ?? "The connection is gone. Trying again …";
    if (!open) say(fatal ?? "The connection is gone.");
  },
});
const arrivals = makeArrivals(app);

/** What is played, in the top bar. @param {State} first @param {any} about  the game in the catalogue */
function entitle(first, about) {
  find("#title").textContent = first.title;
  const scenario = about.scenarios.find((/** @type {any} */ one) => one.key === first.scenario);
  const packs = about.packs.map((/** @type {any} */ pack) => pack.title);
  find("#scenario").textContent = [scenario?.title, ...packs].filter(Boolean).join(" · ");
  document.title = `${first.title} · Apennine`;
}

async function begin(/** @type {State} */ first) {
  const about = (await catalogue).find((/** @type {any} */ game) => game.key === first.game);
  const atlas = await loadAtlas(about);
  app.live = first;
  entitle(first, about);
  rulesOf(first.game, first.title);
  if (token) remember({ id, token, game: first.game, watching: first.you.length === 0 });
  const { sight } = layTable(app, atlas);
  app.panels = mountPanels(app);
  mountTools(app, sight);
  ready = true;
  arrivals.first(first);
  lookFirst(app);
  document.body.classList.add("ready");
  for (const state of early.splice(0)) arrivals.hear(state);
  await mountHints(app);
}

window.addEventListener(
  "unhandledrejection",
  (event) => toast(String(event.reason?.message ?? event.reason), "bad"),
);
