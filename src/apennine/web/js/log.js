/** The log as a story: a line for each order carried out, which unfolds into its steps, by turns. */

import { capital, find, h } from "./dom.js";
import { dieFace } from "./dice.js";
import { chartsOf, resolution } from "./resolution.js";
import { ruleChip } from "./rules.js";
import { plain } from "./wording.js";

/** @typedef {import("./types.js").Entry} Entry */
/** @typedef {import("./types.js").Passage} Passage */
/** @typedef {import("./types.js").Chapter} Chapter */
/** @typedef {import("./types.js").LogPart} LogPart */

/**
 * The story as far as it is known: parts of the log come with the passages and chapters that they
 * belong to, and those that have grown come again.
 */
export function makeStory() {
  /** @type {Passage[]} */
  let passages = [];
  /** @type {Chapter[]} */
  let chapters = [];
  return {
    passages: () => passages,
    chapters: () => chapters,
    /** The end of the log, or all of it. @param {LogPart} part */
    join(part) {
      const from = part.passages?.[0]?.n ?? part.from;
      const begun = part.chapters?.[0]?.n ?? from;
      passages = [...passages.filter((passage) => passage.n < from), ...(part.passages ?? [])];
      chapters = [...chapters.filter((chapter) => chapter.n < begun), ...(part.chapters ?? [])];
    },
    /** An earlier part. @param {LogPart} part */
    precede(part) {
      const known = new Set(passages.map((passage) => passage.n));
      const titled = new Set(chapters.map((chapter) => chapter.n));
      passages.unshift(...(part.passages ?? []).filter((passage) => !known.has(passage.n)));
      chapters.unshift(...(part.chapters ?? []).filter((chapter) => !titled.has(chapter.n)));
    },
  };
}

/** @param {import("./types.js").App} app */
export function mountLog(app) {
  const list = find("#log");
  const live = makeStory();
  /** The newest part that was joined. @type {LogPart|null} */
  let joined = null;
  /** What is drawn, a key a row. @type {string[]} */
  let drawn = [];
  /** @type {import("./types.js").Chart[]} */
  let charts = [];
  chartsOf(app.live?.game ?? "").then((all) => {
    charts = all;
    // What was drawn before has no tables yet.
    drawn = [];
    draw();
  }, app.complain);
  /** The passages that somebody has unfolded or folded. @type {Map<number, boolean>} */
  const unfolded = new Map();

  const nameOf = (/** @type {string} */ hex) => app.board.atlas.boxes.get(hex)?.title || hex;
  const hexLink = (/** @type {string} */ hex) => h("button", {
    type: "button",
    class: "link",
    text: nameOf(hex),
    "aria-label": `Show ${nameOf(hex)} on the map`,
    onclick: (/** @type {Event} */ event) => {
      event.preventDefault();
      app.jump(hex);
    },
  });
  /** A text in which these hexes are links. @param {string} text @param {string[]} places */
  const linked = (text, places) => {
    const known = places.filter((hex) => app.board.atlas.centre(hex));
    if (known.length === 0) return [text];
    const names = known.map(nameOf);
    const escaped = names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const parts = text.split(new RegExp(`(${escaped.sort((a, b) => b.length - a.length).join("|")})`));
    // A bracket before a place and what follows it stay on its line.
    const before = (/** @type {number} */ i) => (parts[i]?.endsWith("(") ? 1 : 0);
    const after = (/** @type {number} */ i) => /^[),.;:]*/.exec(parts[i] ?? "")?.[0].length ?? 0;
    return parts.map((part, i) => (i % 2
      ? h(
        "span",
        { class: "unbroken" },
        parts[i - 1]?.slice(parts[i - 1].length - before(i - 1)),
        hexLink(known[names.indexOf(part)] ?? ""),
        parts[i + 1]?.slice(0, after(i + 1)),
      )
      : part.slice(i > 0 ? after(i) : 0, i < parts.length - 1 ? part.length - before(i) : undefined)));
  };
  const mark = (/** @type {string|null|undefined} */ side) => side ? h("span", {
    class: "side-mark",
    title: side,
    role: "img",
    "aria-label": side,
  }) : "";
  const sided = (/** @type {string|null|undefined} */ side) => (side ? ` side-${app.sideOf(side)}` : "");

  /** One choice, roll or event. @param {Entry} entry */
  const row = (entry, text = plain(entry.text), places = entry.hex ? [entry.hex] : [], kind = "") => {
    const item = h("li", { class: `entry ${entry.kind}${kind}${sided(entry.side)}`, "data-n": entry.n });
    if (entry.kind === "rolled") item.append(
      h(
        "span",
        { class: "dice", "aria-hidden": "true" },
        (entry.faces ?? []).map((face, i) => dieFace(face, entry.sides?.[i] ?? 6)),
      ),
      h(
        "span",
        { class: "words" },
        `${(entry.faces ?? []).join(", ")} for ${entry.purpose ?? "the dice"}`,
        entry.column ? ` at ${entry.column} ` : " ",
        ruleChip(entry.rule),
        (entry.lines ?? []).map(([what, value, rule]) => h(
          "span",
          { class: "shift" },
          `${what} ${value} `,
          ruleChip(rule),
        )),
      ),
    );
    else item.append(mark(entry.side), h("span", { class: "words" }, linked(capital(text), places), " ", ruleChip(entry.rule)));
    return item;
  };

  /** A passage: one line, with its steps behind it. @param {Passage} passage @param {Entry[]} steps @param {boolean} newest */
  const told = (passage, steps, newest) => {
    const kind = passage.quiet ? " passage quiet-line" : " passage";
    const [only] = steps;
    if (steps.length === 1 && only && only.kind !== "rolled") return row(only, plain(passage.text), passage.places ?? [], kind);
    const open = unfolded.get(passage.n) ?? newest;
    return h(
      "li",
      { class: `passage${passage.quiet ? " quiet-line" : ""}${passage.battle ? " battle" : ""}${sided(passage.side)}` },
      h(
        "details",
        {
          open,
          ontoggle: (/** @type {any} */ event) => {
            if (event.target.open !== open || unfolded.has(passage.n)) unfolded.set(passage.n, event.target.open);
          },
        },
        h("summary", {}, mark(passage.side), h("span", { class: "words" }, linked(plain(passage.text), passage.places ?? []))),
        passage.battle
          ? h("div", { class: "steps" }, resolution(app, charts, passage, steps))
          : h("ol", { class: "steps" }, steps.map((entry) => row(entry))),
        !app.replaying && h("button", {
          type: "button",
          class: "link see-moment",
          text: "See the moment",
          onclick: () => app.replay.see(passage.to),
        }),
      ),
    );
  };

  const head = (/** @type {Chapter} */ chapter) => h(
    "li",
    { class: `chapter${sided(chapter.side)}` },
    h("h3", {}, mark(chapter.side), `${/^\d+$/.test(chapter.title) ? "Turn " : ""}${chapter.title}: ${chapter.side}`),
    chapter.text ? h("p", { class: "quiet", text: capital(chapter.text) }) : "",
  );

  const needle = () => find("#log-search").value.trim().toLowerCase();
  /** Whether the reader wants to see a passage. @param {Passage} passage */
  const wanted = (passage) => {
    if (!passage.text.toLowerCase().includes(needle())) return false;
    const kind = find("#log-filter").value;
    if (kind === "battles") return Boolean(passage.battle);
    if (kind === "all") return true;
    const { you = [], view } = app.live ?? {};
    const mine = new Set((view?.units ?? []).filter((/** @type {any} */ unit) => you.includes(unit.side)).map((/** @type {any} */ unit) => unit.name));
    return [...(passage.moves ?? []), ...(passage.losses ?? [])].some(([unit]) => mine.has(unit));
  };

  /** Every row with a key by which it is known again. @returns {[string, () => Element][]} */
  const rows = () => {
    const story = app.replaying && app.shown ? app.shown.log : { passages: live.passages(), chapters: live.chapters() };
    const chapters = [...(story.chapters ?? [])];
    const entries = app.record.entries();
    const first = app.record.first();
    /** @type {[string, () => Element][]} */
    const found = [];
    const bare = (/** @type {Entry} */ entry) => void found.push([`e${entry.n}${entry.text}`, () => row(entry)]);
    const all = (story.passages ?? []).filter((passage) => passage.to > first);
    const told0 = all[0]?.n ?? Infinity;
    const known = all.filter(wanted);
    const sifted = known.length < all.length || needle() !== "";
    if (!sifted) for (const entry of entries) if (entry.n < told0) bare(entry);
    const last = known.findLastIndex((passage) => !passage.quiet);
    known.forEach((passage, i) => {
      while (chapters[0] && chapters[0].n <= passage.n) {
        const chapter = /** @type {Chapter} */ (chapters.shift());
        if (chapters[0] && chapters[0].n <= passage.n) continue;
        found.push([`c${chapter.n}${chapter.title}${chapter.side}${chapter.text}`, () => head(chapter)]);
      }
      const steps = entries.slice(Math.max(0, passage.n - first), passage.to - first);
      const newest = i === last;
      found.push([`p${passage.n}-${passage.to}${newest}${passage.text}`, () => told(passage, steps, newest)]);
    });
    if (!sifted) for (const entry of entries.slice((all.at(-1)?.to ?? Infinity) - first)) bare(entry);
    return found;
  };

  const join = () => {
    const part = app.live?.log ?? null;
    if (part && part !== joined) live.join(part);
    joined = part;
  };

  find("#log-older").addEventListener("click", () => app.record.older().catch(app.complain));
  find("#log-filter").addEventListener("change", () => draw());
  find("#log-search").addEventListener("input", () => draw());
  app.on("heard", join);
  app.on("older", (/** @type {LogPart} */ part) => live.precede(part));
  const draw = () => {
    if (!app.shown) return;
    join();
    const scroller = list.parentElement;
    const atEnd = scroller.scrollTop + scroller.clientHeight > scroller.scrollHeight - 40;
    const all = rows();
    const keys = all.map(([key]) => key);
    let same = 0;
    while (same < drawn.length && drawn[same] === keys[same]) same += 1;
    while (list.children.length > same) list.lastElementChild?.remove();
    list.append(...all.slice(same).map(([, make]) => make()));
    drawn = keys;
    list.dataset.end = String(app.record.first() + app.record.entries().length);
    if (atEnd) scroller.scrollTop = scroller.scrollHeight;
    find("#log-empty").hidden = drawn.length > 0;
    find("#log-older").hidden = app.replaying || app.record.first() === 0;
  };
  app.on("show", draw);
}
