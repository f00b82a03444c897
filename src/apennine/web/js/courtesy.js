/** Courtesies: warnings before a step ends, alerts, an opponent's wish to go back, the end. */

import { toast } from "./announce.js";
import { closeDialog, openDialog } from "./dialog.js";
import { capital, fill, find, h, icon } from "./dom.js";
import { TEXT, VERB } from "./menu.js";
import { ruleChip } from "./rules.js";

/** The rule at the end of a sentence. */
const RULE = /\s*\[([^\]]+)\]$/;

/** @param {import("./types.js").App} app */
export function mountCourtesy(app) {
  let heeded = "";
  let dismissed = new Set();
  /** The other side's wish that this player was asked about already. */
  let asking = "";
  /** What was seen when this player asked to go back. @type {{at: string, age: number}|null} */
  let asked = null;

  const lines = (/** @type {import("./types.js").Warning[]} */ warnings, closing = false) =>
    h(
      "ul",
      { class: "warnings" },
      warnings.map(({ sentence, rule, hex }) =>
        h(
          "li",
          {},
          h("span", { text: sentence }),
          " ",
          hex && !closing ? h("button", {
            type: "button",
            class: "link",
            text: hex,
            "aria-label": `Show ${hex} on the map`,
            onclick: () => app.jump(hex),
          }) : null,
          " ",
          ruleChip(rule),
        ),
      ),
    );

  /** Before an order that ends a phase or a turn: what this side should still look at. */
  app.heeded = async (/** @type {import("./types.js").Option} */ option) => {
    const warnings = app.live?.warnings ?? [];
    if (!/^end\b/.test(option[VERB]) || warnings.length === 0) return true;
    const print = JSON.stringify([app.live?.view.phase, warnings.map(({ sentence }) => gist(sentence))]);
    if (print === heeded) return true;
    const sure = await openDialog(`Before you ${option[VERB] === "end" ? "end your turn" : option[TEXT]}`, [h("p", { text: "This is how things stand:" }), lines(warnings, true)], {
      buttons: [
        { label: "Look again", value: "look" },
        { label: capital(option[TEXT]), value: "go", kind: "primary" },
      ],
      name: "warning-dialog",
    });
    if (sure === "go") heeded = print;
    else if (warnings[0].hex) app.jump(warnings[0].hex);
    return sure === "go";
  };

  const showWarnings = () => {
    const warnings = app.replaying ? [] : (app.live?.warnings ?? []);
    const button = find("#warnings-button");
    button.hidden = warnings.length === 0;
    button.setAttribute("aria-label", `${warnings.length} warnings`);
    find("#warnings-count").textContent = String(warnings.length);
  };
  find("#warnings-button").addEventListener(
    "click",
    () => openDialog("Warnings", lines(app.live?.warnings ?? []), { name: "warning-dialog" }),
  );

  /** What an alert is about: its numbers may change with every move, and it is still the same. */
  const gist = (/** @type {string} */ words) => `${app.live?.view.turn}|${words.split(":")[0]}`;
  const showAlerts = () => {
    const alerts = (app.live?.alerts ?? []).filter((words) => !dismissed.has(gist(words)));
    const bar = find("#alerts");
    const print = alerts.join("|");
    if (bar.dataset.print === print) return;
    bar.dataset.print = print;
    bar.hidden = alerts.length === 0;
    fill(
      bar,
      alerts.map((words) =>
        h(
          "p",
          {},
          icon("warn"),
          h("span", {}, words.replace(RULE, ""), " ", ruleChip(words.match(RULE)?.[1])),
          h("button", {
            type: "button",
            class: "link",
            text: "I see",
            onclick: () => { dismissed.add(gist(words)); showAlerts(); },
          }),
        ),
      ),
    );
  };

  /** Tells who asked what came of it. */
  const tellAnswer = () => {
    if (!asked) return;
    const gone = app.logAge > asked.age ? "The match has gone back." : "The match has gone on; your wish to go back has lapsed.";
    toast(app.live?.at === asked.at ? "The answer is no: the match stays as it is." : gone);
    asked = null;
  };
  const showRollback = () => {
    const wish = app.live?.rollback;
    const print = wish ? `${wish.by}|${wish.to}` : "";
    const note = find("#rollback-note");
    note.hidden = !wish;
    if (asking && asking !== print) {
      asking = "";
      closeDialog("rollback-dialog");
    }
    if (!wish) {
      tellAnswer();
      return;
    }
    const mine = app.live?.you.includes(wish.by);
    if (mine) asked ??= { at: app.live?.at ?? "", age: app.logAge };
    if (wish.yours || !app.live?.you.length) {
      fill(
        note,
        h("span", { text: `${wish.text} Waiting for the answer.` }),
        mine && h("button", { type: "button", class: "link", text: "Withdraw", onclick: withdraw }),
      );
      return;
    }
    fill(
      note,
      h("span", { text: wish.text }),
      h("button", { type: "button", class: "link", text: "Answer", onclick: answer }),
    );
    if (asking === print) return;
    asking = print;
    answer();
  };
  const withdraw = () => {
    asked = null;
    app.api.answer(false).catch(app.complain);
  };
  const answer = async () => {
    const wish = app.live?.rollback;
    if (!wish) return;
    const accept = await openDialog("Go back?", h("p", { text: wish.text }), {
      buttons: [
        { label: "Refuse", value: false },
        { label: "Agree", value: true, kind: "primary" },
      ],
      name: "rollback-dialog",
    });
    if (accept === null) return;
    try {
      await app.api.answer(accept);
    } catch (error) {
      app.complain(/** @type {any} */ (error));
    }
  };

  app.on("show", () => {
    showWarnings();
    showAlerts();
    showRollback();
  });
  // Who looks at the replay is asked all the same.
  app.on("heard", showRollback);
  app.on(
    "refused",
    (/** @type {any} */ error) => toast(
      error.rule ? `${error.message} (rule ${error.rule})` : error.message,
      "bad",
    ),
  );
}
