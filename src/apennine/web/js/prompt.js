/** The line that says who must do what and by which rule, with the orders that are buttons. */

import { say } from "./announce.js";
import { offer } from "./chooser.js";
import { capital, fill, find, h, icon } from "./dom.js";
import { openDialog } from "./dialog.js";
import { ruleChip } from "./rules.js";
import { seatOf as mySeat } from "./seats.js";
import { keepSteady } from "./steady.js";
import { makeVoice } from "./voice.js";
import { linkRow } from "./settings.js";

/** What one waits for, by the kind of the seat. @type {Record<string, string>} */
const WAITING = { bot: "is thinking", open: "has not arrived yet", invite: "has not arrived yet" };

/** @param {import("./types.js").App} app */
export function mountPrompt(app) {
  const line = find("#prompt-line");
  const buttons = find("#prompt-buttons");
  let said = "";
  const voice = makeVoice(app);
  keepSteady(buttons);

  const who = (/** @type {string} */ side) => h(
    "span",
    { class: `side-name side-${app.sideOf(side)}` },
    h("span", { class: "side-mark", "aria-hidden": "true" }),
    side,
  );

  const seatOf = (/** @type {string} */ side) => app.live?.seats.find((seat) => seat.side === side);

  /** Who has no seat is told so, and how to get one while there are any. */
  const showWatching = () => {
    const { you = [], seats = [], outcome } = app.live ?? {};
    const free = seats.filter((seat) => seat.kind === "open").map((seat) => seat.side);
    const note = find("#watching");
    note.hidden = you.length > 0 || Boolean(outcome);
    fill(
      note,
      "You are watching: you see what everybody may see, and give no orders. ",
      free.length > 0 && ["The seat of ", free.join(" and "), " is free: ", h("a", { href: "/", text: "take it in the lobby" }), "."],
    );
  };

  const show = () => {
    const { shown: state, replaying } = app;
    if (!state) return;
    showWatching();
    const { decision, outcome } = state;
    // What was asked before is answered as soon as the others' turn is told.
    const told = !replaying && app.telling.active();
    find("#prompt").dataset.mood = outcome ? "over" : !decision || decision.waiting || replaying || told ? "waiting" : "mine";
    if (outcome) {
      const winner = outcome.winner ? `${outcome.winner} victory` : "A draw";
      fill(
        line,
        h("strong", { class: "verdict", text: winner }),
        h("span", { class: "prompt-text", text: outcome.reason }),
        ruleChip(outcome.rule),
      );
    } else if (!decision) fill(line, h("span", { class: "prompt-text", text: "…" }));
    else if (told && !decision.waiting) fill(line, h("span", { class: "prompt-text", text: "This is what the others did" }));
    else if (decision.waiting) {
      const seat = seatOf(decision.side);
      const how = WAITING[seat?.kind ?? ""] ?? "to decide";
      fill(
        line,
        who(decision.side),
        h("span", { class: "prompt-text" }, h("em", { text: `${how}: ` }), decision.prompt),
        ruleChip(decision.rule),
      );
    } else fill(line, state.you.length > 1 && who(decision.side), h("span", { class: "prompt-text", text: decision.prompt }), ruleChip(decision.rule));
    const whose = decision?.waiting ? `${decision.side}: ` : "";
    const words = outcome ? outcome.reason : decision ? whose + decision.prompt : "";
    const story = replaying ? "" : voice();
    if ((words !== said || story) && !replaying) say([story, words].filter(Boolean).join(". "));
    said = words;
  };

  /** Dice that are thrown by hand are told here. @param {number[]} dice */
  const diceForm = (dice) => {
    const fields = dice.map((sides, i) =>
      h(
        "select",
        { "aria-label": `Die ${i + 1} of ${dice.length}`, required: true },
        h("option", { value: "", text: "–" }),
        Array.from({ length: sides }, (_, face) => h("option", { value: face + 1, text: String(face + 1) })),
      ),
    );
    const give = (/** @type {Event} */ event) => {
      event.preventDefault();
      app.api.roll(app.live?.at ?? "", fields.map((field) => Number(field.value))).catch(app.complain);
    };
    return h(
      "form",
      { class: "row dice-form", onsubmit: give },
      fields,
      h("button", { class: "button order", text: dice.length > 1 ? "These are the dice" : "This is the die" }),
    );
  };

  const showButtons = (/** @type {import("./menu.js").Menu|null} */ menu) => {
    const { live, replaying } = app;
    const absent = live?.decision?.waiting && seatOf(live.decision.side)?.kind === "invite";
    const invited = absent ? mySeat(live?.id ?? "")?.links?.[live?.decision?.side ?? ""] : null;
    const waiting = (live?.you ?? []).length > 0 && live?.decision?.waiting && seatOf(live.decision.side)?.kind === "bot";
    fill(
      buttons,
      (menu?.buttons ?? []).map(({ label, options }, index) =>
        h("button", {
          type: "button",
          class: "button order",
          text: options.length > 1 ? `${capital(label)} …` : capital(label),
          "data-verb": options[0][0],
          ...(index < 9 && { title: `Key ${index + 1}` }),
          onclick: (/** @type {Event} */ event) =>
            options.length > 1
              ? offer(app, options, null, { take: app.orders.order, aim: app.orders.aim })
              : app.orders.choose(options[0], event),
          onpointerenter: () => options.length === 1 && app.orders.aim(options[0]),
          onpointerleave: () => app.orders.aim(null),
          onfocus: () => options.length === 1 && app.orders.aim(options[0]),
          onblur: () => app.orders.aim(null),
        }),
      ),
      live?.decision?.kind === "roll" && !live.decision.waiting && !replaying && diceForm(live.decision.dice ?? []),
      app.orders.attack().could.length > 0 && h("button", {
        type: "button",
        class: "button order",
        id: "fight",
        disabled: app.orders.attack().do.length === 0,
        text: app.orders.fightWords(),
        onclick: () => app.orders.fight(),
      }),
      app.orders.picked() && h("button", {
        type: "button",
        class: "button quiet-button",
        text: `Let go of ${app.orders.picked()}`,
        onclick: () => app.orders.pick(null),
      }),
      live?.outcome && !replaying && h("button", { type: "button", class: "button quiet-button", text: "How it ended", onclick: () => app.end.open() }),
      invited && h("button", {
        type: "button",
        class: "button order",
        text: "Invitation link",
        onclick: () => openDialog(`Invite ${live?.decision?.side}`, linkRow(live?.decision?.side ?? "", invited)),
      }),
      app.telling.stepping() && h("button", {
        type: "button",
        class: "button order",
        text: "Next",
        title: "Next (space)",
        onclick: app.telling.next,
      }),
      (waiting || app.telling.active()) && !replaying && app.telling.mayHurry() && h(
        "button",
        { type: "button", class: "button quiet-button", onclick: app.telling.hurry },
        icon("fast"),
        "Hurry",
      ),
      live?.may_undo && !replaying && h(
        "button",
        { type: "button", id: "undo", class: "button quiet-button", title: "Undo (U)", onclick: app.undo },
        icon("undo"),
        "Undo",
      ),
    );
  };

  app.on("show", show);
  app.on("menu", showButtons);
  app.on("telling", () => {
    show();
    showButtons(app.orders.menu());
  });
  // Whoever was waited for may have come.
  app.on("presence", () => {
    show();
    showButtons(app.orders.menu());
  });
}
