/** The slider through the whole match: play, step, speed; and the wish to go back to a moment. */

import { fill, find, h, iconButton, icon, later } from "./dom.js";
import { openDialog } from "./dialog.js";

const SPEEDS = { "½×": 1600, "1×": 800, "2×": 400, "4×": 200, "8×": 100 };

/** @param {import("./match.js").App} app */
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
    slider,
    where,
    label,
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
    back,
    iconButton("close", "Leave the replay (Esc)", () => leave()),
  );

  const moment = (/** @type {number} */ k) => {
    if (!kept.has(k)) kept.set(k, app.api.moment(k));
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
    where.textContent = labels.findLast((mark) => mark.k <= now)?.text ?? "";
    slider.setAttribute(
      "aria-valuetext",
      `Moment ${now} of ${count}${where.textContent ? `, ${where.textContent}` : ""}`,
    );
    back.disabled = now === count;
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

  async function enter() {
    try {
      const all = await app.api.moments();
      [count, labels] = [all.moments, all.labels ?? []];
    } catch (error) {
      app.complain(/** @type {any} */ (error));
      return;
    }
    kept = new Map();
    slider.max = String(count);
    bar.hidden = false;
    back.hidden = !app.live?.may_roll_back;
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
      await app.api.rollback(now);
      leave();
    } catch (error) {
      app.complain(/** @type {any} */ (error));
    }
  }
  return {
    toggle: () => (app.replaying ? leave() : enter()),
    leave,
    step: (/** @type {number} */ by) => {
      pause();
      go(now + by);
    },
    play: () => (playing ? pause() : play()),
  };
}
