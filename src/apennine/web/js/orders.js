/** From the hand to the server: what is picked, what is aimed at, what is ordered. */

import { makeBundles } from "./bundle.js";
import { makeCarry } from "./carry.js";
import { makeDraft } from "./draft.js";
import { keyOf, clickHex, clickUnit, HEX, readMenu, TEXT, UNIT } from "./menu.js";
import { showAim, showOptions } from "./glow.js";
import { capital, later } from "./dom.js";
import { prefs } from "./prefs.js";
import { say, toast } from "./announce.js";
import { during } from "./rest.js";
import { offer, closeChooser } from "./chooser.js";

/** @typedef {import("./types.js").Option} Option */

/** @param {import("./types.js").App} app */
export function mountOrders(app) {
  /** @type {string|null} */
  let picked = null;
  /** @type {Option|null} */
  let aimed = null;
  /** An order that waits for its second click. @type {Option|null} */
  let pending = null;
  /** @type {import("./menu.js").Menu|null} */
  let menu = null;
  let previews = new Map();
  let previewsAt = "";
  /** What is under way. @type {Promise<any>} */
  let work = Promise.resolve();
  /** The last stack that was taken up. @type {Promise<any>} */
  let lifting = Promise.resolve();

  /** One small order. @param {Option} option @param {boolean} joined  to the bundle before it */
  const give = async (option, joined) => {
    const at = app.live?.at ?? "";
    try {
      await app.act(option, at);
    } catch (error) {
      app.complain(/** @type {any} */ (error));
      return false;
    }
    bundles.add(at, joined);
    // The others have answered: what one meant to order next is to be thought over.
    return !app.telling.active();
  };
  const bundles = makeBundles(app);
  const carry = makeCarry(app, bundles, give);
  const draft = makeDraft(app, give);

  /** As long as it is not known what came of an order, no other can be given. */
  const busy = () => bundles.running() || Boolean(app.telling?.active());

  const refresh = () => {
    const { live } = app;
    const options = app.replaying || app.telling.active() || busy() || !live?.decision || live.decision.waiting ? [] : live.decision.options;
    if (picked && !options.some((option) => option[UNIT] === picked)) picked = null;
    menu = options.length ? readMenu(options, picked, live?.decision?.by_name) : null;
    if (pending && !options.some((option) => keyOf(option) === keyOf(/** @type {Option} */ (pending)))) pending = null;
    showOptions(app.board, menu);
    const attackers = drafted().map((option) => option[UNIT] ?? "");
    const hexes = menu && !menu.matrix ? menu.hexes : new Set();
    app.board.pieces.glow(menu?.units ?? new Set(), new Set(picked ? [picked] : attackers), hexes);
    app.emit("menu", menu);
  };

  /** Those who would attack, where that is asked. */
  const drafted = () => (menu && prefs().stacks === "whole" ? draft.chosen() : []);
  const couldAttack = () => (menu && prefs().stacks === "whole" ? draft.options() : []);

  /** The server's preview of an option: asked for once while the position stays. */
  const preview = (/** @type {Option} */ option, /** @type {Option[]} */ after = []) => {
    if (previewsAt !== app.live?.at) [previews, previewsAt] = [new Map(), app.live?.at ?? ""];
    const key = [...after, option].map(keyOf).join();
    if (!previews.has(key)) previews.set(key, app.preview(option, after));
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

  /** Does something that takes several small orders, or takes some back. @param {() => Promise<any>} act */
  const doing = (act) => {
    if (busy() || !app.live) return Promise.resolve();
    [picked, pending] = [null, null];
    closeChooser();
    aim(null);
    app.board.pieces.closeFan();
    work = during("orders", bundles.run(act)).catch(app.complain);
    return work;
  };

  /** The question that came of naming a unit, which Esc takes back: in which state, and by which unit. */
  let named = { at: "", unit: "" };

  /** Gives an order, after the warnings that belong before it. @param {Option} option @param {boolean} [goesOn] */
  const order = async (option, goesOn = false) => {
    if (busy() || !app.live || !(await app.heeded(option))) return;
    await doing(() => carry.follow(option, goesOn));
    named = option[UNIT] !== null && option[HEX] === null ? { at: app.live?.at ?? "", unit: option[UNIT] ?? "" } : { at: "", unit: "" };
  };
  /** Whether all that is asked is what the unit is to do that was named just now. */
  const isNamed = () => named.at !== "" && named.at === app.live?.at && bundles.last() !== undefined &&
    (menu?.options ?? []).every((option) => option[UNIT] === named.unit);

  /**
   * Takes up a stack: the unit that was clicked first, those above before those below.
   * @param {Option} first @param {string} place @param {string|null} lead @param {Option[]} instead @param {boolean} alone
   */
  const takeUp = async (first, place, lead, instead, alone) => {
    const before = menu;
    if (busy() || !before || !(await app.heeded(first))) return;
    const own = app.board.pieces.stack(place).filter(isMine).map((unit) => unit.name).reverse();
    const whole = prefs().stacks === "whole";
    const one = whole && lead ? [lead] : [];
    // A box is no stack: who comes out of it is said unit by unit.
    const units = whole && !alone && !app.board.atlas.boxes.has(place) ? [...new Set([...one, ...own])] : one;
    await doing(() => carry.take({ first, place, units, instead, before }));
  };

  const isMine = (/** @type {import("./types.js").Unit|null} */ unit) =>
    unit !== null && (app.live?.you ?? []).includes(unit.side) && app.live?.decision?.side === unit.side;

  /** One click; two where a finger could slip, or where the dice fall at once: their chances come first. @param {Option} option @param {Event} [event] */
  const choose = async (option, event) => {
    const touch = event instanceof PointerEvent && event.pointerType === "touch";
    const slips = prefs().confirm === "always" ? event instanceof MouseEvent && event.detail > 0 : touch;
    const first = pending !== option && option[HEX] !== null;
    const at = app.live?.at;
    // In a battle the odds are in sight already.
    const unseen = !carry.carrying() && !app.live?.view.battle;
    const twice = first && (slips || (unseen && (await preview(option))?.final));
    if (busy() || app.live?.at !== at) return;
    if (twice) {
      pending = option;
      aimed = null;
      aim(option);
      return;
    }
    order(option, event instanceof MouseEvent && event.shiftKey);
  };

  /**
   * @param {import("./menu.js").Meaning} meaning @param {string|null} place @param {string|null} unit @param {Event} [event]
   */
  const follow = (meaning, place, unit, event) => {
    const { act, instead = [] } = meaning;
    // An order to a unit, or to the place of one's own units, may pick them up.
    const toUnit = act && (act[HEX] === null ? act[UNIT] === unit : act[UNIT] === null && act[HEX] === place);
    if (toUnit && place && own(place)) {
      const alone = event instanceof MouseEvent && event.shiftKey;
      const take = (/** @type {Option} */ option, /** @type {Option[]} */ others) => { lifting = takeUp(option, place, unit, others, alone); };
      if (instead.length > 0 && diced(place)) offer(app, [act, ...instead], place, { take: (option) => take(option, []), aim });
      else take(act, instead);
    }
    else if (act) choose(act, event);
    else if (meaning.pick) pick(picked === meaning.pick ? null : meaning.pick);
    else if (meaning.choose) offer(app, meaning.choose, place, { take: order, aim });
  };
  const own = (/** @type {string} */ place) => app.board.pieces.stack(place).some(isMine);
  /** Whether a die may decide what units here can do: an order to them is then not taken back. @param {string} place */
  const diced = (place) => app.board.pieces.stack(place).some((unit) =>
    isMine(unit) && Object.values(unit.factors ?? {}).includes("?"));

  const pick = (/** @type {string|null} */ unit) => {
    picked = unit;
    pending = null;
    aim(null);
    if (unit) say(`${unit} picked. Choose where.`);
    refresh();
  };

  /** What a click on a unit means while a stack is in hand. @param {string} name @param {Event} [event] */
  const clickInHand = (name, event) => {
    const held = carry.held();
    if (!held || !menu) return false;
    if (event instanceof MouseEvent && event.detail > 1) return true;
    const { pieces } = app.board;
    const place = pieces.place(name) ?? "";
    if (carry.moving().has(name)) {
      doing(() => (carry.moving().size > 1 && !held.gone ? carry.leaveOut(name) : carry.letGo()));
      return true;
    }
    const join = menu.left.find((option) => option[UNIT] === name && option[HEX] === null);
    if (join) {
      doing(() => carry.join(join));
      return true;
    }
    const own = isMine(pieces.unit(name)) && clickUnit(held.before, name, place) !== null;
    // Another of the same stack that cannot come along goes instead.
    const other = own && (place !== held.place || !held.gone);
    const turn = () => doing(carry.letGo).then(() => api.unit(name));
    const there = menu.byHex.get(place);
    if (other && there) {
      offer(app, there, place, { take: order, aim }, [{ label: `Pick up ${name} instead`, act: turn }]);
      return true;
    }
    if (other) turn();
    return other;
  };

  app.on("show", () => {
    aimed = null;
    showAim(app.board, null);
    app.emit("preview", null);
    refresh();
  });

  app.on("telling", refresh);

  const api = {
    refresh,
    aim,
    order,
    choose,
    pick,
    preview,
    running: bundles.running,
    picked: () => picked,
    /** The hex that is aimed at. */
    aimedAt: () => aimed?.[HEX] ?? null,
    menu: () => menu,
    /** The stack in hand. */
    held: () => (menu ? carry.held() : null),
    carrying: () => carry.carrying() && !app.replaying,
    moving: carry.moving,
    /** Who could attack and who does, before anybody is named to the rules. */
    attack: () => ({ could: couldAttack(), do: drafted() }),
    fight: () => doing(() => draft.fight()),
    /** Whether a drag can begin with this unit. @param {string} name */
    draggable(name) {
      if (!menu || busy() || couldAttack().length > 0 || picked) return false;
      if (carry.held()) return carry.moving().has(name) && !carry.held()?.gone;
      const place = isMine(app.board.pieces.unit(name)) ? app.board.pieces.place(name) : null;
      // Where something must be chosen nothing is taken up: units are picked out, as for a loss.
      const free = menu.buttons.length > 0 || carry.carrying();
      return free && place !== null && Boolean(clickUnit(menu, name, place)?.act);
    },
    /** Takes up the stack of a unit; an order that takes nothing up is not meant by a drag. @param {string} name */
    async lift(name) {
      const at = app.live?.at;
      api.unit(name);
      await lifting;
      if (!carry.held() && app.live?.at !== at) await doing(() => bundles.undo());
    },
    /** A stack that was dropped where it cannot go is put back, and it is said why. @param {string|null} hex */
    putBack(hex) {
      const wish = hex ? api.wish(hex) : null;
      if (wish) app.why(wish).then((why) => {
        if (why) toast(why.rule ? `${why.sentence} (rule ${why.rule})` : why.sentence);
      });
      doing(carry.letGo);
    },
    /** Another order for the stack in hand. @param {Option} option */
    async instead(option) {
      const held = carry.held();
      if (!held || held.gone) return;
      const { place, units, before, instead, first } = held;
      const rest = [...instead.filter((one) => one !== option), first];
      if (!(await app.heeded(option))) return;
      await doing(async () => {
        if (await carry.letGo()) await carry.take({ first: option, place, units, before, instead: rest });
      });
    },
    undo: () => work.then(() => bundles.undo()),
    /** @param {string} name @param {Event} [event] @returns {boolean} whether it meant something */
    unit(name, event) {
      if (busy()) return true;
      if (couldAttack().length > 0 && draft.toggle(name)) {
        refresh();
        return true;
      }
      if (carry.held()) return clickInHand(name, event);
      const unit = app.board.pieces.unit(name);
      const place = app.board.pieces.place(name);
      const meaning = menu && clickUnit(menu, name, isMine(unit) ? place : null);
      if (!meaning) return false;
      follow(meaning, place, name, event);
      return true;
    },
    /** @param {string} code @param {Event} [event] */
    hex(code, event) {
      if (busy()) return true;
      const meaning = menu && clickHex(menu, code, own(code) && !carry.held());
      if (!meaning) return false;
      follow(meaning, code, null, event);
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
      aim(here?.length === 1 && couldAttack().length === 0 ? here[0] : null);
    },
    /** Lets go of whatever is picked, in hand or aimed at; of an attack for which nobody is named. */
    drop() {
      const inHand = carry.held() !== null || couldAttack().length > 0 || isNamed();
      const any = picked !== null || pending !== null || aimed !== null || inHand;
      if (pending === null && !closeChooser()) {
        if (carry.held()) doing(carry.letGo);
        else if ((couldAttack().length > 0 && bundles.last()) || isNamed()) app.undo();
      }
      pending = null;
      aim(null);
      if (picked) pick(null);
      return any;
    },
    /** What the button says that sends the attackers off. */
    fightWords() {
      const [could, chosen] = [couldAttack().length, drafted().length];
      return chosen === could ? `Attack with all ${could}` : `Attack with ${chosen} of ${could}`;
    },
    /** What the stack in hand could do instead, in words. */
    others: () => (carry.held()?.gone === false && app.live?.may_undo ? (carry.held()?.instead ?? []) : [])
      .map((option) => ({ option, words: capital(option[TEXT]) })),
  };
  return api;
}
