/** From the hand to the server: what is picked, what is aimed at, what is ordered. */

import { keyOf, clickHex, clickUnit, HEX, readMenu, UNIT } from "./menu.js";
import { showAim, showOptions } from "./glow.js";
import { later } from "./dom.js";
import { prefs } from "./prefs.js";
import { say } from "./announce.js";
import { offer, closeChooser } from "./chooser.js";

/** @typedef {import("./types.js").Option} Option */

/** @param {import("./match.js").App} app */
export function mountOrders(app) {
  /** @type {string|null} */
  let picked = null;
  /** @type {Option|null} */
  let aimed = null;
  /** An order that waits for its second click. @type {Option|null} */
  let pending = null;
  /** The state in which an order was given that is still under way. @type {string|null} */
  let given = null;
  /** @type {import("./menu.js").Menu|null} */
  let menu = null;
  let previews = new Map();
  let previewsAt = "";

  /** As long as it is not known what came of an order, no other can be given. */
  const busy = () => given !== null && given === app.live?.at;

  const refresh = () => {
    const { live } = app;
    const options = app.replaying || busy() || !live?.decision || live.decision.waiting ? [] : live.decision.options;
    if (picked && !options.some((option) => option[UNIT] === picked)) picked = null;
    menu = options.length ? readMenu(options, picked) : null;
    if (pending && !options.some((option) => keyOf(option) === keyOf(/** @type {Option} */ (pending)))) pending = null;
    showOptions(app.board, menu);
    app.board.pieces.glow(menu?.units ?? new Set(), picked, menu && !menu.matrix ? menu.hexes : new Set());
    app.emit("menu", menu);
  };

  /** The server's preview of an option: asked for once while the position stays. */
  const preview = (/** @type {Option} */ option) => {
    if (previewsAt !== app.live?.at) [previews, previewsAt] = [new Map(), app.live?.at ?? ""];
    const key = keyOf(option);
    if (!previews.has(key)) previews.set(key, app.preview(option));
    return previews.get(key);
  };

  const look = later(async (/** @type {Option} */ option) => {
    const found = await preview(option);
    if (aimed !== option) return;
    showAim(app.board, { hex: option[HEX], path: found?.path, cost: found?.path?.length ? found.cost : "" });
    app.emit("preview", { option, preview: found, pending: pending === option });
  }, 50);

  /** Shows what an option would lead to. @param {Option|null} option */
  const aim = (option) => {
    if (aimed === option) return;
    aimed = option;
    if (!option) {
      look.cancel();
      showAim(app.board, null);
      app.emit("preview", null);
      return;
    }
    showAim(app.board, { hex: option[HEX] });
    look(option);
  };

  /** Gives an order, after the warnings that belong before it. @param {Option} option */
  const order = async (option) => {
    if (busy() || !app.live) return;
    const { at } = app.live;
    if (!(await app.heeded(option)) || busy()) return;
    given = at;
    [picked, pending] = [null, null];
    closeChooser();
    aim(null);
    app.board.pieces.closeFan();
    try {
      await app.act(option, at);
    } catch (error) {
      app.complain(/** @type {any} */ (error));
    } finally {
      const stays = busy();
      if (given === at) given = null;
      if (stays) refresh();
    }
  };

  /** One click, or two where a finger could slip. @param {Option} option @param {Event} [event] */
  const choose = (option, event) => {
    const touch = event instanceof PointerEvent && event.pointerType === "touch";
    const twice = prefs().confirm === "always" ? event instanceof MouseEvent && event.detail > 0 : touch;
    if (twice && pending !== option && option[HEX] !== null) {
      pending = option;
      aimed = null;
      aim(option);
      return;
    }
    order(option);
  };

  /** @param {{act?: Option, pick?: string, choose?: Option[]}} meaning @param {string|null} place @param {Event} [event] */
  const follow = (meaning, place, event) => {
    if (meaning.act) choose(meaning.act, event);
    else if (meaning.pick) pick(picked === meaning.pick ? null : meaning.pick);
    else if (meaning.choose) offer(app, meaning.choose, place, { take: order, aim });
  };

  const pick = (/** @type {string|null} */ unit) => {
    picked = unit;
    pending = null;
    aim(null);
    if (unit) say(`${unit} picked. Choose where.`);
    refresh();
  };

  app.on("show", () => {
    aimed = null;
    showAim(app.board, null);
    app.emit("preview", null);
    refresh();
  });

  return {
    refresh,
    aim,
    order,
    choose,
    pick,
    preview,
    picked: () => picked,
    menu: () => menu,
    /** @param {string} name @param {Event} [event] @returns {boolean} whether it meant something */
    unit(name, event) {
      const meaning = menu && clickUnit(menu, name);
      if (!meaning) return false;
      follow(meaning, app.board.pieces.place(name), event);
      return true;
    },
    /** @param {string} code @param {Event} [event] */
    hex(code, event) {
      const meaning = menu && clickHex(menu, code);
      if (!meaning) return false;
      follow(meaning, code, event);
      return true;
    },
    /** The order that a click on a hex would mean, were it on the menu. @param {string} code */
    wish(code) {
      const index = app.board.atlas.hex(code)?.i;
      const placed = (menu?.left ?? []).filter((option) => option[UNIT] !== null && option[HEX] !== null);
      const one = new Set(placed.map((option) => option[UNIT])).size === 1;
      if (index === undefined || !one || app.board.pieces.unit(placed[0][UNIT] ?? "")?.hex === code) return null;
      const [verb, unit, , value] = placed[0];
      return [verb, unit, index, value];
    },
    /** What lies under the pointer or has the focus. @param {{unit: string|null, hex: string|null}} at */
    hover({ unit, hex }) {
      if (pending) return;
      const forUnit = unit ? menu?.byUnit.get(unit) : null;
      const here = forUnit ?? (hex && !menu?.matrix ? menu?.byHex.get(hex) : null);
      aim(here?.length === 1 ? here[0] : null);
    },
    /** Lets go of whatever is picked or aimed at. */
    drop() {
      const held = picked !== null || pending !== null || aimed !== null;
      pending = null;
      aim(null);
      closeChooser();
      if (picked) pick(null);
      return held;
    },
  };
}
