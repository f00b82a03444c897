/** The turn track, the seats, and all else that a view tells, shown as it is. */

import { capital, fill, find, h } from "./dom.js";

/** What has its own place on the page. */
const SHOWN_ELSEWHERE = new Set([
  "turn",
  "track",
  "phase",
  "side",
  "units",
  "markers",
  "battle",
  "moving",
  "warnings",
]);

/** Of a longer track only so many turns are shown, those about the present. */
const LONG = 12;

/** Who sits where nobody has given a name. @type {Record<string, string>} */
const NAMELESS = { bot: "Bot", open: "nobody yet", invite: "nobody yet" };

const PROOF =
  "This hash of the dice was fixed before the first roll; the seed behind it is shown when the " +
  "game is over, and apennine replay --verify checks both.";

/** @param {import("./types.js").App} app */
export function mountSituation(app) {
  /** A value of a view: a number, words, a list, or words with values. @param {any} value @returns {any} */
  const shown = (value) => {
    if (value === null || value === undefined || value === "") return h("span", { class: "quiet", text: "none" });
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (Array.isArray(value)) return listed(value);
    if (typeof value === "object")
      return h(
        "dl",
        { class: "inner" },
        Object.entries(value).map(([name, inner]) => h(
          "div",
          {},
          h("dt", { text: capital(name) }),
          h("dd", {}, shown(inner)),
        )),
      );
    return linked(String(value));
  };
  const linked = (/** @type {string} */ text) =>
    app.board.atlas.has(text) ? h("button", {
      type: "button",
      class: "link",
      text,
      "aria-label": `Show ${text} on the map`,
      onclick: () => app.jump(text),
    }) : text;
  const listed = (/** @type {any[]} */ items) => {
    if (items.length === 0) return h("span", { class: "quiet", text: "none" });
    if (items.some((item) => typeof item === "object" && item)) return h(
      "ul",
      {},
      items.map((item) => h("li", {}, shown(item))),
    );
    if (items.length > 12)
      return h(
        "details",
        {},
        h("summary", { text: `${items.length}` }),
        items.flatMap((item) => [linked(String(item)), " "]),
      );
    return items.flatMap((item, i) => [i ? ", " : "", linked(String(item))]);
  };

  const showTrack = () => {
    const { turn, track = [], phase } = app.shown?.view ?? {};
    find("#track").classList.toggle("long", track.length > LONG);
    const first = Math.max(0, Math.min(track.length - LONG, turn - 1 - LONG / 2));
    const near = (/** @type {number} */ i) => i >= first && i < first + LONG;
    fill(
      find("#track"),
      track.map((/** @type {string} */ label, /** @type {number} */ i) =>
        h("li", {
          class: `${i + 1 < turn ? "past" : i + 1 === turn ? "now" : ""}${near(i) ? "" : " far"}`,
          ...(i + 1 === turn && { "aria-current": "step" }),
          title: label,
          text: track.length > LONG ? String(i + 1) : short(label),
        }),
      ),
    );
    const label = track[turn - 1] ?? turn;
    const name = /^\d+$/.test(String(label)) ? `Turn ${label}` : `Turn ${turn}, ${label}`;
    fill(
      find("#phase"),
      h("span", { text: name }),
      phase && [h("span", { class: "dot", text: " · " }), h("span", { text: capital(phase.replaceAll("_", " ")) })],
    );
  };

  const showSeats = () => {
    const { seats = [], you = [], view, decision } = app.live ?? {};
    fill(
      find("#seats"),
      seats.map(({ side, kind, name, online }) => {
        const who = name || (you.includes(side) ? "You" : NAMELESS[kind] ?? "Player");
        const turn = decision?.side === side;
        return h(
          "li",
          { class: `seat side-${app.sideOf(side)}${turn ? " deciding" : ""}${view?.side === side ? " active" : ""}` },
          h("span", { class: "side-mark", "aria-hidden": "true" }),
          h("span", { class: "seat-side", text: side }),
          h(
            "span",
            { class: "seat-who" },
            who,
            kind === "person" && !you.includes(side) ? h("span", {
              class: online ? "online" : "offline",
              text: online ? " ●" : " ○",
              title: online ? "here" : "away",
            }) : null,
          ),
          turn && h("span", { class: "sr", text: "(deciding)" }),
        );
      }),
    );
  };

  const showRest = () => {
    const view = app.shown?.view ?? {};
    const rows = Object.entries(view).filter(([name]) => !SHOWN_ELSEWHERE.has(name));
    fill(
      find("#situation"),
      (app.live?.notes ?? []).map((note) => h("p", { class: "note", text: note })),
      rows.length === 0 && h("p", { class: "quiet", text: "Nothing beyond the board." }),
      h(
        "dl",
        { class: "facts" },
        rows.map(([name, value]) => h("div", {}, h("dt", { text: capital(name) }), h("dd", {}, shown(value)))),
      ),
      app.live?.commitment && h(
        "details",
        { class: "dice-proof" },
        h("summary", { text: "The dice of this match" }),
        h("p", { text: PROOF }),
        h("code", { text: app.live.commitment }),
        app.live?.seed && h("p", {}, "Seed: ", h("code", { text: app.live.seed })),
      ),
    );
  };

  app.on("show", () => {
    showTrack();
    showSeats();
    showRest();
  });
  app.on("presence", showSeats);
}

/** A label that fits into a step of the track: the days of a date, the beginning of a name. @param {string} label */
const short = (label) => {
  const [first] = String(label).split(" ");
  return /^\d/.test(first) || first.length <= 4 ? first : first.slice(0, 3);
};
