/** Everything by keyboard, and the list of keys. */

import { openDialog } from "./dialog.js";
import { find, h } from "./dom.js";
import { makeWalk } from "./walk.js";

const PAN = 90;

const KEYS = [
  ["Tab, Shift+Tab", "next or previous order: buttons, then units and hexes on the map"],
  ["Enter", "give the order that has the focus"],
  ["N, P", "next or previous stack along the front, or hex that can be chosen"],
  ["Shift+Enter", "one unit alone; a move that goes on from there"],
  ["1 … 9", "the buttons beside the prompt, then what the stack in hand could do instead"],
  ["X", "leave the unit under focus or pointer out of the stack or the attack, or take it in again"],
  ["Esc", "let go of what is in hand; close; leave the replay"],
  ["U", "undo"],
  ["Arrow keys", "move the map"],
  ["+, −, 0", "zoom in, zoom out, whole map"],
  ["H", "go to my units"],
  ["F", "fan out the stack that has the focus or lies under the pointer"],
  ["V", "show the orders that lie out of sight"],
  ["O", "overlays; Shift+1 … Shift+9 switches one for my side"],
  ["D", "what changed since my last turn"],
  ["L, S, B, G, C", "orders, situation, units, log, chat"],
  ["R", "replay; Space plays, comma and full stop step"],
  ["T, K, E", "charts, rulebook, order of battle"],
  ["W", "warnings"],
  ["M", "menu and settings"],
  ["?", "this list"],
];

export function openHelp() {
  openDialog(
    "Keys",
    [
      h("p", { text: "What glows can be ordered: click it, or reach it with Tab and press Enter." }),
      h("p", { text: "Hold still over it to see what the order would cost or how a battle may end." }),
      h(
        "table",
        { class: "keys" },
        h(
          "tbody",
          {},
          KEYS.map(([key, what]) => h("tr", {}, h("th", { scope: "row", text: key }), h("td", { text: what }))),
        ),
      ),
    ],
    { name: "help-dialog" },
  );
}

/** Whether a field takes a key for itself; a slider takes no more than those that move it. @param {HTMLElement} field @param {string} key */
function typing(field, key) {
  if (key === "Escape") return false;
  if (field instanceof HTMLInputElement && field.type === "range") return /^(Arrow|Page|Home|End)/.test(key);
  if (field instanceof HTMLInputElement && field.type === "checkbox") return key === " ";
  return /^(INPUT|TEXTAREA|SELECT)$/.test(field.tagName);
}

/**
 * @param {import("./types.js").App} app
 * @param {{tab: (name: string) => void, menu: () => void, charts: () => void, book: () => void, forces: () => void, reveal: () => void, clear: (at: {x: number, y: number}) => boolean}} doors
 */
export function mountKeyboard(app, doors) {
  const { camera, pieces } = app.board;
  let hovered = "";
  let pointed = "";
  app.on("hover", (/** @type {{hex: string|null, unit: string|null}} */ { hex, unit }) => {
    hovered = hex ?? hovered;
    pointed = unit ?? "";
  });

  const walk = makeWalk(app);
  const step = (/** @type {number} */ by) => walk.step(by);
  const pressButton = (/** @type {number} */ index) => {
    const button = document.querySelectorAll("#prompt-buttons .order:not(:disabled), #in-hand .instead .button")[index];
    button?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  };
  const back = () => {
    if (app.orders.drop() || app.overlays.close()) return;
    if (pieces.fanned()) pieces.closeFan();
    else if (app.replaying) app.replay.leave();
    else find("#prompt").focus();
  };

  /** @type {Record<string, () => void>} */
  const plain = {
    ArrowLeft: () => camera.moveBy(PAN, 0),
    ArrowRight: () => camera.moveBy(-PAN, 0),
    ArrowUp: () => camera.moveBy(0, PAN),
    ArrowDown: () => camera.moveBy(0, -PAN),
    "+": () => camera.zoom(1.3),
    "=": () => camera.zoom(1.3),
    "-": () => camera.zoom(1 / 1.3),
    0: () => camera.fit(),
    h: app.home,
    n: () => step(1),
    p: () => step(-1),
    u: app.undo,
    v: doors.reveal,
    x: () => {
      const { unit, name } = /** @type {any} */ (document.activeElement)?.dataset ?? {};
      const one = unit ?? name ?? pointed;
      if (one) app.orders.unit(one);
    },
    f: () => hovered && pieces.openFan(hovered),
    o: () => app.overlays.toggle(),
    d: () => app.overlays.changes(),
    l: () => doors.tab("orders"),
    s: () => doors.tab("situation"),
    b: () => doors.tab("units"),
    g: () => doors.tab("log"),
    c: () => doors.tab("chat"),
    r: () => app.replay.toggle(),
    t: doors.charts,
    k: doors.book,
    e: doors.forces,
    w: () => find("#warnings-button").click(),
    m: doors.menu,
    "?": openHelp,
    Escape: back,
    ",": () => app.replaying && app.replay.step(-1),
    ".": () => app.replaying && app.replay.step(1),
  };

  document.addEventListener("keydown", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (typing(target, event.key)) return;
    if (target.closest("[role=tablist]") && event.key.startsWith("Arrow")) return;
    const onBoard = target.closest(".pieces [role=button]");
    if (onBoard && (event.key === "Enter" || event.key === " ")) {
      const { unit, hex } = /** @type {any} */ (onBoard).dataset;
      const how = new MouseEvent("click", { shiftKey: event.shiftKey });
      if (unit) app.orders.unit(unit, how) || app.orders.hex(pieces.place(unit) ?? "", how);
      else app.orders.hex(hex, how);
    } else if (event.key === " " && app.replaying && target.tagName !== "BUTTON") app.replay.play();
    else if (event.shiftKey && /^Digit[1-9]$/.test(event.code)) app.overlays.nth(Number(event.code.slice(5)) - 1);
    else if (/^[1-9]$/.test(event.key)) pressButton(Number(event.key) - 1);
    else {
      const act = plain[event.key] ?? plain[event.key.toLowerCase()];
      if (!act) return;
      act();
    }
    event.preventDefault();
  });

  // What has the focus is brought into sight and shows what it would lead to.
  app.board.drawing.addEventListener("focusin", (/** @type {FocusEvent} */ event) => {
    const { unit = null, hex = null } = /** @type {any} */ (event.target).dataset;
    const place = hex ?? pieces.place(unit);
    const at = place ? app.board.atlas.centre(place) : null;
    if (!(/** @type {Element} */ (event.target).matches(":focus-visible"))) return;
    if (at) camera.bringIn(at, { clear: doors.clear });
    hovered = place ?? hovered;
    app.orders.hover({ unit, hex });
  });
}
