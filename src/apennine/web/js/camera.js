/** Pan and zoom: one transform on one element, nothing is drawn again while it moves. */

import { later, still } from "./dom.js";

/** @typedef {{left: number, top: number, right: number, bottom: number}} Area */

const DRAG = 6;
const CLOSEST = 5;

/**
 * @param {HTMLElement} board  the window on the map
 * @param {HTMLElement} world  what moves under it
 * @param {import("./atlas.js").Atlas} atlas
 * @param {() => Area} insets  what covers the board, from each edge
 */
export function makeCamera(board, world, atlas, insets) {
  let x = 0;
  let y = 0;
  let k = 1;
  let farthest = 0.1;
  let frame = 0;
  let gliding = 0;
  /** Where a glide under way ends. */
  let goal = { x: 0, y: 0, k: 1 };
  /** Whether the whole map is shown, and is to stay so. */
  let fitted = false;
  /** @type {Set<() => void>} */
  const watchers = new Set();
  const { left, top } = atlas.view;

  /** How much is shown at this zoom; changed at rest, for it makes the browser draw anew. */
  const setBand = () => {
    const size = k * atlas.radius;
    const band = size < 14 ? "far" : size < 25 ? "middle" : "near";
    if (world.dataset.zoom !== band) {
      world.dataset.zoom = band;
      atlas.drawing.setAttribute("data-zoom", band);
    }
  };
  const paint = () => {
    frame = 0;
    world.style.transform = `translate(${x}px, ${y}px) scale(${k})`;
    if (!world.dataset.zoom) setBand();
  };
  const settle = later(() => {
    // A busy machine may not have come to draw it yet, and a page out of sight never does.
    if (gliding) {
      stop();
      [x, y, k] = [goal.x, goal.y, goal.k];
      frame ||= requestAnimationFrame(paint);
    }
    if (frame) {
      cancelAnimationFrame(frame);
      paint();
    }
    world.classList.remove("moving");
    setBand();
    for (const watch of watchers) watch();
  }, 160);

  const draw = () => {
    world.classList.add("moving");
    settle();
    frame ||= requestAnimationFrame(paint);
  };
  const stop = () => {
    cancelAnimationFrame(gliding);
    gliding = 0;
  };

  /** Keeps some of the map in sight. */
  const rein = () => {
    const { width, height } = atlas.view;
    x = Math.min(board.clientWidth - 80, Math.max(80 - width * k, x));
    y = Math.min(board.clientHeight - 80, Math.max(80 - height * k, y));
  };

  const moveBy = (/** @type {number} */ dx, /** @type {number} */ dy) => {
    stop();
    fitted = false;
    x += dx;
    y += dy;
    rein();
    draw();
  };
  const zoomAt = (/** @type {number} */ px, /** @type {number} */ py, /** @type {number} */ factor) => {
    stop();
    fitted = false;
    const wanted = Math.min(CLOSEST, Math.max(farthest, k * factor));
    x = px - ((px - x) * wanted) / k;
    y = py - ((py - y) * wanted) / k;
    k = wanted;
    rein();
    draw();
  };

  /** Goes to another place, gliding there unless that is unwanted. */
  const glide = (/** @type {number} */ tx, /** @type {number} */ ty, /** @type {number} */ tk, quick = false) => {
    stop();
    fitted = false;
    if (quick || still()) {
      [x, y, k] = [tx, ty, tk];
      draw();
      return;
    }
    const [fx, fy, fk] = [x, y, k];
    goal = { x: tx, y: ty, k: tk };
    const began = performance.now();
    const step = (/** @type {number} */ now) => {
      // On a busy machine the frame may have begun before the glide: no time has passed then.
      const t = Math.max(0, Math.min(1, (now - began) / 260));
      const e = 1 - (1 - t) ** 3;
      [x, y, k] = [fx + (tx - fx) * e, fy + (ty - fy) * e, fk + (tk - fk) * e];
      draw();
      gliding = t < 1 ? requestAnimationFrame(step) : 0;
    };
    gliding = requestAnimationFrame(step);
    world.classList.add("moving");
    settle();
  };

  /** The free part of the window. */
  const free = () => {
    const cover = insets();
    return {
      x: cover.left,
      y: cover.top,
      width: Math.max(60, board.clientWidth - cover.left - cover.right),
      height: Math.max(60, board.clientHeight - cover.top - cover.bottom),
    };
  };

  /** Shows an area of the map as large as it fits; its middle, where that would be smaller than `least`. */
  const show = (/** @type {Area} */ area, most = CLOSEST, quick = false, least = 0) => {
    const room = free();
    const margin = 10;
    const wanted = Math.max(least, Math.min(
      most,
      (room.width - 2 * margin) / (area.right - area.left),
      (room.height - 2 * margin) / (area.bottom - area.top),
    ));
    const cx = (area.left + area.right) / 2 - left;
    const cy = (area.top + area.bottom) / 2 - top;
    const middle = { x: room.x + room.width / 2 - cx * wanted, y: room.y + room.height / 2 - cy * wanted };
    const to = least ? filling(middle.x, middle.y, wanted) : middle;
    glide(to.x, to.y, wanted, quick);
  };

  /** Whether an area has room at a scale. @param {Area} area @param {number} scale */
  const fits = (area, scale) => {
    const room = free();
    return (area.right - area.left) * scale < room.width && (area.bottom - area.top) * scale < room.height;
  };

  const measure = () => {
    const room = free();
    const { frame: whole } = atlas;
    farthest = 0.6 * Math.min(room.width / (whole.right - whole.left), room.height / (whole.bottom - whole.top));
  };
  const fit = (quick = false) => {
    measure();
    show(atlas.frame, 2.4, quick);
    fitted = true;
  };

  const onScreen = (/** @type {{x: number, y: number}} */ point) => ({
    x: (point.x - left) * k + x,
    y: (point.y - top) * k + y,
  });
  const onMap = (
    /** @type {number} */ px,
    /** @type {number} */ py,
  ) => ({ x: (px - x) / k + left, y: (py - y) / k + top });

  /** Where the map would lie with no more of the bare table in the room than must be. */
  const filling = (/** @type {number} */ tx, /** @type {number} */ ty, /** @type {number} */ scale) => {
    const room = free();
    const { frame: whole } = atlas;
    const ends = [
      [room.x - (whole.left - left) * scale, room.x + room.width - (whole.right - left) * scale],
      [room.y - (whole.top - top) * scale, room.y + room.height - (whole.bottom - top) * scale],
    ];
    const [fx, fy] = [tx, ty].map((wish, i) => Math.max(Math.min(...ends[i]), Math.min(Math.max(...ends[i]), wish)));
    return { x: fx, y: fy };
  };

  /**
   * Brings a point into the free part of the window, moving no more than it must. If it would also be
   * `clear` with the map filling the room (it is, if nobody says), the map does; else the point comes to the middle.
   * @param {{x: number, y: number}} point
   * @param {{centre?: boolean, closer?: number, clear?: (at: {x: number, y: number}) => boolean}} [how]
   */
  const bringIn = (point, { centre = false, closer = 0, clear = () => true } = {}) => {
    const room = free();
    const scale = closer && k * atlas.radius < closer ? closer / atlas.radius : k;
    const at = onScreen(point);
    const edge = Math.min(70, room.width / 4, room.height / 4);
    const across = at.x > room.x + edge && at.x < room.x + room.width - edge;
    const inside = across && at.y > room.y + edge && at.y < room.y + room.height - edge;
    if (inside && scale === k && !centre) return;
    const [px, py] = [(point.x - left) * scale, (point.y - top) * scale];
    const middle = { x: room.x + room.width / 2 - px, y: room.y + room.height / 2 - py };
    const full = filling(middle.x, middle.y, scale);
    const to = clear({ x: full.x + px, y: full.y + py }) ? full : middle;
    glide(to.x, to.y, scale);
  };

  listen(board, moveBy, zoomAt);
  const refit = later(() => fitted && fit(), 60);
  new ResizeObserver(measure).observe(board);
  return {
    fit,
    /** More or less of the board is free now. */
    refit,
    show,
    fits,
    bringIn,
    moveBy,
    zoom: (/** @type {number} */ factor) => {
      const room = free();
      zoomAt(room.x + room.width / 2, room.y + room.height / 2, factor);
    },
    onScreen,
    onMap,
    free,
    scale: () => k,
    /** Whether a point lies in the free part of the window. @param {{x: number, y: number}} point */
    sees(point) {
      const [room, at] = [free(), onScreen(point)];
      return at.x > room.x && at.x < room.x + room.width && at.y > room.y && at.y < room.y + room.height;
    },
    /** Where it is, or will be in a moment: to be gone back to. */
    view: () => (gliding ? goal : { x, y, k }),
    restore: (/** @type {{x: number, y: number, k: number}} */ to) => glide(to.x, to.y, to.k),
    settled: (/** @type {() => void} */ watch) => watchers.add(watch),
  };
}

/** Mouse, wheel, fingers. A drag that has begun swallows the click at its end. */
function listen(/** @type {HTMLElement} */ board, /** @type {Function} */ moveBy, /** @type {Function} */ zoomAt) {
  /** @type {Map<number, {x: number, y: number}>} */
  const down = new Map();
  let dragged = false;
  let travelled = 0;
  const at = (/** @type {MouseEvent} */ event) => {
    const box = board.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  board.addEventListener("pointerdown", (event) => {
    if (event.button > 1 || /** @type {Element} */ (event.target).closest(".over-board")) return;
    if (down.size === 0) [dragged, travelled] = [false, 0];
    down.set(event.pointerId, at(event));
  });
  board.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    if (down.size === 1) {
      travelled += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
      if (!dragged && travelled < DRAG) return;
      if (!dragged) {
        dragged = true;
        board.setPointerCapture(event.pointerId);
        board.classList.add("dragging");
      }
      moveBy(now.x - before.x, now.y - before.y);
    } else if (down.size === 2) {
      dragged = true;
      const [other] = [...down].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      const apart = Math.hypot(before.x - other.x, before.y - other.y) || 1;
      const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
      moveBy((now.x - before.x) / 2, (now.y - before.y) / 2);
      zoomAt(middle.x, middle.y, Math.hypot(now.x - other.x, now.y - other.y) / apart);
    }
    down.set(event.pointerId, now);
  });
  const release = (/** @type {PointerEvent} */ event) => {
    down.delete(event.pointerId);
    if (down.size === 0) board.classList.remove("dragging");
  };
  board.addEventListener("pointerup", release);
  board.addEventListener("pointercancel", release);
  board.addEventListener("pointerleave", (event) => {
    if (!dragged) release(event);
  });
  board.addEventListener(
    "click",
    (event) => {
      if (dragged && down.size === 0) {
        event.stopPropagation();
        event.preventDefault();
        dragged = false;
      }
    },
    true,
  );
  board.addEventListener(
    "wheel",
    (event) => {
      if (/** @type {Element} */ (event.target).closest(".over-board")) return;
      event.preventDefault();
      const point = at(event);
      const lines = event.deltaMode === 1 ? 18 : 1;
      if (event.shiftKey) moveBy(-event.deltaY * lines, 0);
      else zoomAt(
        point.x,
        point.y,
        Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) * (event.ctrlKey ? 0.01 : 0.0022)),
      );
    },
    { passive: false },
  );
}

/** @typedef {ReturnType<typeof makeCamera>} Camera */
