/** A small list beside the map where one click could mean several orders. */

import { capital, fill, find, h } from "./dom.js";
import { keepFocus } from "./dialog.js";
import { TEXT } from "./menu.js";

/** @typedef {import("./types.js").Option} Option */

/** @returns {boolean} whether there was one */
export function closeChooser() {
  const card = find("#chooser");
  const was = !card.hidden;
  card.hidden = true;
  fill(card);
  return was;
}

/**
 * @param {import("./types.js").App} app
 * @param {Option[]} options
 * @param {string|null} place  that was clicked
 * @param {{take: (option: Option) => void, aim: (option: Option|null) => void}} hands
 * @param {{label: string, act: () => void}[]} more  what else it could mean
 */
export function offer(app, options, place, { take, aim }, more = []) {
  closeChooser();
  const list = h(
    "ul",
    { class: "chooser-list" },
    options.map((option) =>
      h(
        "li",
        {},
        h("button", {
          type: "button",
          text: capital(option[TEXT]),
          onclick: () => {
            closeChooser();
            take(option);
          },
          onpointerenter: () => aim(option),
          onfocus: () => aim(option),
        }),
      ),
    ),
    more.map(({ label, act }) =>
      h("li", {}, h("button", {
        type: "button",
        text: label,
        onclick: () => {
          closeChooser();
          act();
        },
        onpointerenter: () => aim(null),
        onfocus: () => aim(null),
      })),
    ),
  );
  const card = find("#chooser");
  const where = place ? app.board.atlas.about(place) : "";
  fill(card, h("p", { class: "chooser-title", text: where ? `Which order? ${where}` : "Which order?" }), list);
  card.hidden = false;
  keepFocus(card, closeChooser);
}
