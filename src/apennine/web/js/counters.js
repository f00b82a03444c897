/** Counters as they are printed: colours, symbol, factors, name, steps, badges. */

import { s, slug } from "./dom.js";
import { during } from "./rest.js";

export const SIZE = 32;
const HALF = SIZE / 2;

/** Symbols by address: fetched once, kept in one hidden drawing, used by reference. */
const symbols = new Map();
/** @type {any} */
let shelf = null;

function shelfOf() {
  if (!shelf) {
    shelf = s("svg", { class: "shelf", width: 0, height: 0, "aria-hidden": "true" });
    document.body.append(shelf);
  }
  return shelf;
}

/** The id under which a symbol can be used; it fills itself in as soon as it has arrived. */
function symbolOf(/** @type {import("./types.js").Unit} */ unit) {
  const parts = [unit.troops || "unknown", unit.size || "none"];
  const address = `/symbols/${parts.map((part) => encodeURIComponent(part)).join("/")}.svg`;
  if (!symbols.has(address)) {
    const id = `symbol-${symbols.size}`;
    symbols.set(address, id);
    const symbol = s("symbol", { id, viewBox: "0 0 66 66" });
    shelfOf().append(symbol);
    during(address, fetch(address)
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(new Error(`${address}: ${answer.status}`))))
      .then((text) => {
        const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
        symbol.setAttribute("viewBox", drawn.getAttribute("viewBox") ?? "0 0 100 100");
        const body = s("g", { class: "symbol-body" });
        for (const name of ["fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-linecap", "font-family"])
          if (drawn.hasAttribute(name)) body.setAttribute(name, drawn.getAttribute(name));
        body.append(...[...drawn.childNodes].map((node) => document.importNode(node, true)));
        for (const odd of body.querySelectorAll("script, style, foreignObject")) odd.remove();
        symbol.append(body);
      })
      .catch(() => symbols.delete(address)));
  }
  return symbols.get(address);
}

/** The letters of a status on its badge, and whether it is bad news. @param {string} status */
function badge(status) {
  const words = status.split(/\s+/);
  const bad = /^(out|no|not|dis|un|cut|iso|fat|rout|sup)/i.test(status);
  const letters = words.length > 1 ? words.map((word) => word[0]).join("").slice(0, 3) : status.slice(0, 1);
  return { letters: letters.toUpperCase(), bad };
}

/** What a screen reader says of a unit. @param {import("./types.js").Unit} unit */
export function unitWords(unit) {
  const factors = Object.entries(unit.factors ?? {}).map(([name, value]) => `${name} ${value}`);
  const strength = unit.full && unit.full > 1 ? `${unit.steps} of ${unit.full} steps` : null;
  const name = unit.title && unit.title !== unit.name ? `${unit.name}, ${unit.title}` : unit.name;
  const place = unit.hex ? `in ${unit.hex}` : unit.where;
  return [
    `${unit.side} ${name}`,
    unit.troops,
    unit.size,
    ...factors,
    strength,
    place,
    ...(unit.status ?? []),
  ].filter(Boolean).join(", ");
}

/** Text that is squeezed rather than let out of its room. */
function squeezed(
  /** @type {string} */ text,
  /** @type {number} */ size,
  /** @type {number} */ room,
  /** @type {Record<string, any>} */ props,
) {
  const wide = text.length * size * 0.6;
  return s("text", { ...props, text, ...(wide > room && { textLength: room, lengthAdjust: "spacingAndGlyphs" }) });
}

/**
 * A counter, drawn around (0, 0).
 * @param {import("./types.js").Unit} unit
 * @param {number} side  its number: which of the two colours
 */
export function drawCounter(unit, side) {
  const status = unit.status ?? [];
  const hidden = unit.name === "?";
  const full = unit.full ?? 0;
  // Of one that has lost all its steps the factors would be noughts; guns and staffs never have any.
  const factors = full && unit.steps === 0 ? "" : Object.values(unit.factors ?? {}).join("-");
  const body = s(
    "g",
    { class: "counter-body" },
    s("rect", { class: "counter-shadow", x: -HALF + 1, y: -HALF + 1.6, width: SIZE, height: SIZE, rx: 2.8 }),
    s("rect", { class: "counter-face", x: -HALF, y: -HALF, width: SIZE, height: SIZE, rx: 2.8 }),
    s("path", {
      class: "counter-band",
      d: `M${-HALF + 0.5} ${-HALF + 2.8}q0-2.3 2.3-2.3h1.4v31h-1.4q-2.3 0-2.3-2.3z`,
    }),
    s("path", { class: "counter-edge", d: `M${-HALF + 2.4} ${-HALF + 0.9}H${HALF - 2.4}` }),
  );
  if (hidden) body.append(s("text", { class: "counter-hidden", x: 1, y: 7.5, text: "?" }));
  else {
    body.append(s("use", {
      class: "counter-symbol",
      href: `#${symbolOf(unit)}`,
      x: -11.2,
      y: -15.4,
      width: 21,
      height: 21,
    }));
    body.append(squeezed(
      unit.name,
      5.8,
      18,
      { class: "counter-name", transform: "translate(13.9 3.6) rotate(-90)" },
    ));
    if (factors) body.append(squeezed(factors, 10, 26.4, { class: "counter-factors", x: 1.9, y: 13.2 }));
  }
  for (let i = 0; full > 1 && i < full && i < 6; i += 1)
    body.append(s("circle", {
      class: i < (unit.steps ?? 0) ? "pip" : "pip lost",
      cx: -13.6,
      cy: 12 - i * 4.1,
      r: 1.15,
    }));
  const badges = s("g", { class: "badges" });
  status.slice(0, 3).forEach((word, i) => {
    const { letters, bad } = badge(word);
    const mark = s("g", {
      class: bad ? "badge bad" : "badge",
      transform: `translate(${HALF - 1.5 - i * 9.4} ${-HALF - 0.5})`,
    });
    mark.append(
      s("rect", { x: -4.6, y: -3.6, width: 9.2, height: 7.2, rx: 3.6 }),
      s("text", { y: 1.9, text: letters }),
      s("title", { text: word }),
    );
    badges.append(mark);
  });
  body.append(badges);
  const worn = full > 1 && (unit.steps ?? full) < full ? " reduced" : "";
  const statuses = status.map((word) => ` is-${slug(word)}`).join("");
  return s(
    "g",
    {
      class: `counter side-${side} nation-${slug(unit.nation ?? "none")}${worn}${statuses}`,
      "data-unit": unit.name,
    },
    body,
  );
}

/** A counter as a picture of its own, for lists. */
export function counterPicture(/** @type {import("./types.js").Unit} */ unit, /** @type {number} */ side) {
  const picture = s("svg", { class: "counter-picture", viewBox: "-17.5 -20.5 36.5 38.5", "aria-hidden": "true" });
  const counter = drawCounter(unit, side);
  // The unit itself is on the map.
  counter.removeAttribute("data-unit");
  picture.append(counter);
  return picture;
}

/** A marker: a disc with up to four letters; a label where a counter wants the room. */
export function drawMarker(
  /** @type {import("./types.js").Marker} */ marker,
  /** @type {number} */ side,
  /** @type {boolean} */ small,
) {
  const text = marker.name.slice(0, 4);
  if (small) return s(
    "g",
    { class: `marker small side-${side}` },
    s("title", { text: marker.title }),
    s("rect", { class: "marker-face", x: -9, y: -4, width: 18, height: 8, rx: 2 }),
    s("text", { class: "marker-text", y: 2.3, text }),
  );
  return s(
    "g",
    { class: `marker side-${side}` },
    s("title", { text: marker.title }),
    s("circle", { class: "counter-shadow", cx: 0.6, cy: 1, r: 9.4 }),
    s("circle", { class: "marker-face", r: 9.4 }),
    s("text", {
      class: "marker-text",
      y: 2.8,
      text,
      ...(text.length > 2 && { textLength: 14, lengthAdjust: "spacingAndGlyphs" }),
    }),
  );
}
