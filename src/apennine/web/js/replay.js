/** The slider through the whole match: chapters, play, step, speed, eyes; going back, trying from a moment. */

import { isOpen, tryFrom } from "./aftermath.js";
import { fill, find, h, iconButton, icon, later } from "./dom.js";
import { openDialog } from "./dialog.js";

const SPEEDS = { "½×": 1600, "1×": 800, "2×": 400, "4×": 200, "8×": 100 };

/** The width of a letter below the slider, and of the slider before it is shown. */
const [LETTER, ROOM] = [7, 300];
/** A month in three letters, a turn by its number alone. @param {string} title */
const brief = (title) => (/^\p{Lu}\p{Ll}+$/u.test(title) ? title.slice(0, 3) : title.replace(/^Turn /, ""));

/** @param {import("./types.js").App} app */
export function mountReplay(app) {
  const bar = find("#replay");
  let count = 0;
  let now = 0;
  let playing = 0;
  let speed = 800;
  /** Where the turns begin. @type {{k: number, text: string}[]} */
  let labels = [];
  /** @type {Map<number, any>} */
  let kept = new Map();
  /** Through whose eyes, by whose count of moments. @type {string|null} */
  let side = null;

  const slider = h("input", {
    type: "range",
    id: "replay-slider",
    min: 0,
    max: 0,
    value: 0,
    step: 1,
    "aria-label": "Moment of the match",
  });
  const label = h("output", { class: "replay-label", for: "replay-slider" });
  const where = h("span", { class: "replay-where" });
  const chapters = h("div", { class: "replay-chapters" });
  const eyes = h("label", { class: "replay-speed" });
  const branch = h("button", {
    type: "button",
    class: "button quiet-button",
    text: "Try from here …",
    title: "A match of your own that goes on from this moment",
    onclick: askBranch,
  });
  const playButton = iconButton("play", "Play (space)", () => (playing ? pause() : play()));
  const back = h("button", {
    type: "button",
    class: "button quiet-button",
    text: "Go back to here …",
    onclick: askBack,
  });
  fill(
    bar,
    h(
      "div",
      { class: "replay-buttons" },
      iconButton("first", "To the beginning", () => go(0)),
      iconButton("turnBack", "Turn before", () => go(labels.findLast((mark) => mark.k < now)?.k ?? 0)),
      iconButton("back", "One step back (,)", () => go(now - 1)),
      playButton,
      iconButton("next", "One step on (.)", () => go(now + 1)),
      iconButton("turnNext", "Turn after", () => go(labels.find((mark) => mark.k > now)?.k ?? count)),
      iconButton("last", "To the end", () => go(count)),
    ),
    h("div", { class: "replay-line" }, slider, chapters),
    where,
    label,
    eyes,
    h(
      "label",
      { class: "replay-speed" },
      h("span", { class: "sr", text: "Speed" }),
      h(
        "select",
        { onchange: (/** @type {any} */ event) => { speed = Number(event.target.value); } },
        Object.entries(SPEEDS).map(([name, ms]) => h("option", { value: ms, text: name, selected: ms === 800 })),
      ),
    ),
    branch,
    back,
    iconButton("close", "Leave the replay (Esc)", () => leave()),
  );

  const moment = (/** @type {number} */ k) => {
    if (!kept.has(k)) kept.set(k, app.api.moment(k, side));
    if (kept.size > 400) kept.delete(kept.keys().next().value ?? 0);
    return kept.get(k);
  };
  const load = async (/** @type {number} */ k) => {
    try {
      const state = await moment(k);
      if (k !== now || !app.replaying) return;
      app.display(state);
      if (k < count) moment(k + 1).catch(() => kept.delete(k + 1));
    } catch (error) {
      kept.delete(k);
      pause();
      app.complain(/** @type {any} */ (error));
    }
  };
  const soon = later(load, 30);
  const go = (/** @type {number} */ k) => {
    now = Math.max(0, Math.min(count, k));
    slider.value = String(now);
    label.textContent = `${now} / ${count}`;
    const chapter = labels.findLastIndex((mark) => mark.k <= now);
    where.textContent = labels[chapter]?.text ?? "";
    [...chapters.children].forEach((/** @type {Element} */ mark, /** @type {number} */ k) => mark.classList.toggle("now", k === chapter));
    slider.setAttribute(
      "aria-valuetext",
      `Moment ${now} of ${count}${where.textContent ? `, ${where.textContent}` : ""}`,
    );
    back.hidden = now === count || !app.live?.may_roll_back;
    soon(now);
    if (now === count) pause();
  };
  const play = () => {
    if (now >= count) go(0);
    playButton.replaceChildren(icon("pause"));
    const step = () => {
      if (!playing) return;
      go(now + 1);
      if (playing) playing = setTimeout(step, speed);
    };
    playing = setTimeout(step, speed / 2);
  };
  const pause = () => {
    clearTimeout(playing);
    playing = 0;
    playButton.replaceChildren(icon("play"));
  };
  slider.addEventListener("input", () => {
    pause();
    go(Number(slider.value));
  });

  /** Asks how long the replay is through these eyes, and marks its chapters. */
  async function measure() {
    const all = await app.api.moments(side);
    [count, labels] = [all.moments, all.labels ?? []];
    kept = new Map();
    slider.max = String(count);
    fill(chapters, labels.map(({ k, text }, at) => {
      const whose = (app.live?.sides ?? []).findIndex((name) => text.endsWith(`: ${name}`));
      const title = whose < 0 ? text : text.slice(0, text.lastIndexOf(": "));
      // The name of a turn stands once, in its longest chapter; the others have their colour alone.
      const length = (/** @type {number} */ i) => (labels[i + 1]?.k ?? count) - (labels[i]?.k ?? count);
      const alike = labels.flatMap((other, i) => (other.text.startsWith(`${title}:`) ? [i] : []));
      const longest = alike.reduce((one, other) => (length(other) > length(one) ? other : one), at);
      const room = (length(at) / Math.max(1, count)) * (chapters.clientWidth || ROOM);
      const name = longest === at ? [title, brief(title)].find((one) => one.length * LETTER < room) ?? "" : "";
      const mark = h("button", {
        type: "button",
        class: `replay-chapter side-${whose}`,
        tabindex: "-1",
        title: text,
        "aria-label": text,
        text: name,
        onclick: () => go(k),
      });
      const until = labels[at + 1]?.k ?? count;
      mark.style.left = `${(100 * k) / Math.max(1, count)}%`;
      mark.style.width = `${(100 * (until - k)) / Math.max(1, count)}%`;
      return mark;
    }));
  }
  /** Looks through other eyes at the same chapter: what one side has not seen, another has. */
  async function lookAs(/** @type {string} */ wanted) {
    const chapter = labels.findLastIndex((mark) => mark.k <= now);
    const atEnd = now === count;
    side = wanted;
    try {
      await measure();
      go(atEnd ? count : labels[chapter]?.k ?? 0);
    } catch (error) {
      app.complain(/** @type {any} */ (error));
    }
  }
  async function enter() {
    side = app.live?.as ?? null;
    try {
      await measure();
    } catch (error) {
      app.complain(/** @type {any} */ (error));
      return;
    }
    const held = app.live?.you ?? [];
    // When the match is over nothing of it is secret any more.
    const seers = app.live?.outcome ? app.live.sides : held;
    eyes.hidden = seers.length < 2;
    fill(
      eyes,
      h("span", { class: "sr", text: "Through the eyes of" }),
      h(
        "select",
        { onchange: (/** @type {any} */ event) => lookAs(event.target.value) },
        seers.map((name) => h("option", { value: name, text: `as ${name}`, selected: name === side })),
      ),
    );
    branch.hidden = !isOpen(app) || held.length === 0;
    bar.hidden = false;
    app.replaying = true;
    document.body.classList.add("replaying");
    go(count);
    slider.focus();
  }
  function leave() {
    pause();
    bar.hidden = true;
    app.replaying = false;
    document.body.classList.remove("replaying");
    if (app.live) app.display(app.live);
  }
  async function askBack() {
    pause();
    const people = app.live?.seats.filter((seat) => seat.kind === "person" && !app.live?.you.includes(seat.side)) ?? [];
    const words = people.length
      ? "The match goes back to this moment if your opponent agrees. No die that has been rolled comes up again."
      : "The match goes back to this moment. No die that has been rolled comes up again.";
    const sure = await openDialog(
      "Go back to here?",
      h("p", { text: words }),
      { buttons: [
        { label: "Stay", value: false },
        { label: people.length ? "Ask to go back" : "Go back", value: true, kind: "primary" },
      ] },
    );
    if (!sure) return;
    try {
      await app.api.rollback(now, side);
      leave();
    } catch (error) {
      app.complain(/** @type {any} */ (error));
    }
  }
  async function askBranch() {
    pause();
    const sure = await openDialog(
      "Try from here?",
      h("p", { text: "A new match of your own begins at this moment, with the same bots; this one stays as it is." }),
      { buttons: [{ label: "Stay", value: false }, { label: "Try it", value: true, kind: "primary" }] },
    );
    if (sure) await tryFrom(app, now, side);
  }
  return {
    /** A moment of the match. @param {number} k */
    async see(k) {
      if (!app.replaying) await enter();
      if (app.replaying) go(k);
    },
    toggle: () => (app.replaying ? leave() : enter()),
    leave,
    step: (/** @type {number} */ by) => {
      pause();
      go(now + by);
    },
    play: () => (playing ? pause() : play()),
  };
}
