/** A small list beside a hex where one click could mean several orders. */

import { capital, h } from "./dom.js";
import { keepFocus } from "./dialog.js";
import { TEXT } from "./menu.js";

/** @typedef {import("./types.js").Option} Option */

/** @type {HTMLElement|null} */
let open = null;

export function closeChooser() {
  open?.remove();
  open = null;
}

/**
 * @param {import("./match.js").App} app
 * @param {Option[]} options
 * @param {string|null} place  beside which it opens; without one beside the prompt
 * @param {{take: (option: Option) => void, aim: (option: Option|null) => void}} hands
 */
export function offer(app, options, place, { take, aim }) {
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
  );
  open = h("div", { class: "chooser over-board", role: "dialog", "aria-label": "Which order?" }, list);
  const host = document.querySelector("#board");
  host?.append(/** @type {any} */ (open));
  const at = place ? app.board.atlas.centre(place) : null;
  const spot = at ? app.board.camera.onScreen(at) : { x: (host?.clientWidth ?? 0) / 2, y: 120 };
  const menu = /** @type {HTMLElement} */ (open);
  const [width, height] = [menu.offsetWidth, menu.offsetHeight];
  menu.style.left = `${Math.max(8, Math.min((host?.clientWidth ?? 0) - width - 8, spot.x + 26))}px`;
  menu.style.top = `${Math.max(8, Math.min((host?.clientHeight ?? 0) - height - 8, spot.y - height / 2))}px`;
  keepFocus(menu, closeChooser);
}
