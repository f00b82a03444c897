/** Rules by number: a chip that opens the rule's text from the ledger. */

import { rule as askRule } from "./api.js";
import { h } from "./dom.js";
import { keepFocus } from "./dialog.js";
import { during } from "./rest.js";

let game = "";
let title = "";
const known = new Map();

/** Whose rules the chips open. @param {string} key @param {string} name */
export const rulesOf = (key, name) => {
  [game, title] = [key, name];
};

/** A chip with a rule's number. @param {string|null|undefined} id */
export function ruleChip(id) {
  if (!id) return null;
  return h("button", {
    type: "button",
    class: "rule-chip",
    text: id,
    "aria-label": `Rule ${id}`,
    title: `What rule ${id} says`,
    onclick: (/** @type {MouseEvent} */ event) => {
      event.stopPropagation();
      openRule(id, /** @type {HTMLElement} */ (event.currentTarget));
    },
  });
}

async function openRule(/** @type {string} */ id, /** @type {HTMLElement} */ chip) {
  document.querySelector(".rule-card")?.remove();
  const card = h(
    "div",
    { class: "rule-card", role: "dialog", "aria-label": `Rule ${id}` },
    h("p", { class: "quiet", text: "…" }),
    h("button", { type: "button", class: "link", text: "Close", onclick: () => card.remove() }),
    " ",
    h("button", {
      type: "button",
      class: "link",
      text: "In the rulebook",
      onclick: () => {
        card.remove();
        during("rulebook", import("./rulebook.js")).then(({ openRulebook }) => openRulebook(game, title, id));
      },
    }),
  );
  (chip.closest("dialog") ?? document.body).append(card);
  const place = () => {
    const at = chip.getBoundingClientRect();
    card.style.left = `${Math.max(8, Math.min(innerWidth - card.offsetWidth - 8, at.left - 20))}px`;
    const below = at.bottom + 8;
    card.style.top = `${below + card.offsetHeight > innerHeight - 8 ? Math.max(8, at.top - card.offsetHeight - 8) : below}px`;
  };
  place();
  keepFocus(card, () => card.remove());
  const key = `${game}/${id}`;
  if (!known.has(key)) known.set(
    key,
    askRule(game, id).catch((/** @type {Error} */ error) => ({ failed: error.message })),
  );
  const rule = await known.get(key);
  card.firstChild?.remove();
  card.prepend(
    ...(rule.failed
      ? [h("p", { text: rule.failed })]
      : [
          h(
            "h3",
            {},
            `Rule ${rule.id}`,
            h("span", { class: "quiet", text: [rule.scope, rule.kind].filter(Boolean).join(" · ") }),
          ),
          h("p", { text: rule.obligation }),
          ...(rule.ruling ? [h("p", { class: "ruling", text: rule.ruling })] : []),
        ]),
  );
  place();
}
