/** The form for a match: scenario, who plays, optional rules. */

import { capital, h } from "./dom.js";
import { myName, setMyName } from "./seats.js";

/** The bot that looks ahead, and how long it may. */
const AHEAD = "hard";
const SECONDS = [1, 2, 5, 10];

/** @param {any} game */
export function newMatchForm(game) {
  const summary = h("p", { class: "quiet" });
  const tell = (/** @type {string} */ key) => {
    const scenario = game.scenarios.find((/** @type {any} */ one) => one.key === key);
    summary.textContent = scenario ? `${scenario.summary} ${scenario.turns} turns.` : "";
  };
  const scenario = h(
    "select",
    { name: "scenario", onchange: (/** @type {any} */ event) => tell(event.target.value) },
    game.scenarios.map((/** @type {any} */ one) => h("option", { value: one.key, text: one.title })),
  );
  tell(game.scenarios[0].key);
  const seat = (/** @type {string} */ side, /** @type {number} */ i) =>
    h(
      "label",
      { class: `seat-row side-${i}` },
      h("span", {}, h("span", { class: "side-mark", "aria-hidden": "true" }), side),
      h(
        "select",
        { name: `seat-${side}` },
        h("option", { value: "me", text: "I play", selected: i === 0 }),
        game.bots.map((/** @type {string} */ bot) => h("option", {
          value: `bot:${bot}`,
          text: `Bot: ${game.bot_titles[bot].toLowerCase()}`,
          selected: i > 0 && bot === game.bot,
        })),
        h("option", { value: "invite", text: "A friend, by invitation" }),
        h("option", { value: "open", text: "Anybody, from the lobby" }),
      ),
    );
  return h(
    "form",
    { class: "new-match", onsubmit: (/** @type {Event} */ event) => event.preventDefault() },
    game.scenarios.length > 1 ? h(
      "label",
      { class: "field" },
      h("span", { text: "Scenario" }),
      scenario,
    ) : h("label", { hidden: true }, scenario),
    summary,
    h("fieldset", {}, h("legend", { text: "Who plays" }), game.sides.map(seat)),
    game.switches.length > 0 &&
      h(
        "fieldset",
        {},
        h("legend", { text: "Optional rules" }),
        game.switches.map((/** @type {any} */ one) => h(
          "label",
          { class: "check" },
          h("input", { type: "checkbox", name: `switch-${one.key}`, checked: one.default }),
          one.title,
          h("span", { class: "count", text: ` § ${one.rule}` }),
        )),
      ),
    h(
      "fieldset",
      {},
      h("legend", { text: "At the table" }),
      h(
        "label",
        { class: "field" },
        h("span", { text: "Your name" }),
        h("input", {
          name: "name",
          value: myName(),
          maxlength: 40,
          autocomplete: "nickname",
          placeholder: "optional",
        }),
      ),
      h(
        "label",
        { class: "field" },
        h("span", { text: "Pace of the bots" }),
        h(
          "select",
          { name: "pace" },
          ["slow", "normal", "fast", "instant"].map((pace) => h(
            "option",
            { value: pace, text: capital(pace), selected: pace === "normal" },
          )),
        ),
      ),
      game.bots.includes(AHEAD) && h(
        "label",
        { class: "field" },
        h("span", { text: "Hard bots think before a turn for" }),
        h(
          "select",
          { name: "think" },
          SECONDS.map((seconds) => h("option", { value: seconds, text: `${seconds} s`, selected: seconds === SECONDS[1] })),
        ),
      ),
      game.guided && h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", name: "guided", checked: true }),
        "Show hints along the way",
      ),
      h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", name: "hand" }),
        "We throw real dice and tell the results",
      ),
    ),
  );
}

/** A seat as it is asked for. @param {string} chosen @param {FormData} data */
const seatOf = (chosen, data) => (chosen === `bot:${AHEAD}` ? `${chosen}:${data.get("think")}` : chosen);

/** What the form asks for. @param {any} game @param {HTMLFormElement} form */
export function readForm(game, form) {
  const data = new FormData(form);
  const name = String(data.get("name") ?? "").trim();
  setMyName(name);
  return {
    game: game.key,
    scenario: String(data.get("scenario")),
    options: Object.fromEntries(game.switches.map((/** @type {any} */ one) => [one.key, data.has(`switch-${one.key}`)])),
    seats: Object.fromEntries(game.sides.map((/** @type {string} */ side) => [side, seatOf(String(data.get(`seat-${side}`)), data)])),
    guided: data.has("guided"),
    pace: String(data.get("pace")),
    dice: data.has("hand") ? "hand" : "seed",
  };
}
