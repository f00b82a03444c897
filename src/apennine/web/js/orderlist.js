/** Every order of the present decision as a list: for those who read rather than point. */

import { capital, fill, find, h } from "./dom.js";
import { grouped, TEXT, VERB } from "./menu.js";

const AT_ONCE = 60;

/** @param {import("./types.js").App} app */
export function mountOrderList(app) {
  const field = find("#order-filter");
  const list = find("#order-list");
  let verbsOpen = new Set();

  const show = () => {
    const menu = app.orders.menu();
    const options = menu?.left ?? [];
    const wanted = field.value.trim().toLowerCase();
    const fitting = wanted ? options.filter((option) => option[TEXT].toLowerCase().includes(wanted)) : options;
    field.parentElement.hidden = options.length < 12;
    const count = `${options.length} ${options.length === 1 ? "order" : "orders"}`;
    find("#order-count").textContent = options.length ? count : "No order is yours to give now.";
    fill(
      list,
      [...grouped(fitting, (option) => option[VERB])].map(([verb, same]) => {
        const button = (/** @type {import("./types.js").Option} */ option) =>
          h(
            "li",
            {},
            h("button", {
              type: "button",
              class: "order-row",
              text: capital(option[TEXT]),
              onclick: () => app.orders.order(option),
              onpointerenter: () => app.orders.aim(option),
              onfocus: () => app.orders.aim(option),
            }),
          );
        const rows = same.slice(0, AT_ONCE).map(button);
        const rest = same.length > AT_ONCE ? h("li", {
          class: "quiet",
          text: `and ${same.length - AT_ONCE} more: type to find them`,
        }) : null;
        if (same.length <= 3) return h("ul", {}, rows);
        const box = h(
          "details",
          { open: verbsOpen.has(verb) || wanted !== "" },
          h(
            "summary",
            {},
            capital(verb.replaceAll("_", " ")),
            " ",
            h("span", { class: "count", text: String(same.length) }),
          ),
          h("ul", {}, rows, rest),
        );
        box.addEventListener("toggle", () => (box.open ? verbsOpen.add(verb) : verbsOpen.delete(verb)));
        return box;
      }),
    );
  };
  field.addEventListener("input", show);
  app.on("menu", () => {
    if (!find("#panel-orders").hidden) show();
  });
  find("#tab-orders").addEventListener("click", show);
  return { show };
}
