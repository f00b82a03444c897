/** Dialogs and popovers; both give the focus back to where it was. */

import { h, iconButton } from "./dom.js";

/** Where the focus was before the first of the dialogs that are open. @type {HTMLElement|null} */
let before = null;

/**
 * A dialog over the page. Resolves to what its button says, or null.
 *
 * It is no modal dialog of the browser's own: that makes all else inert, for which the style of the
 * whole map is computed anew. A veil keeps hands from the page, and the focus stays in the dialog.
 * @param {string} title
 * @param {any} content
 * @param {{buttons?: {label: string, value: any, kind?: string}[], wide?: boolean, name?: string}} [how]
 * @returns {Promise<any>}
 */
export function openDialog(title, content, { buttons = [], wide = false, name = "" } = {}) {
  return new Promise((resolve) => {
    if (!document.querySelector(".veil")) before = /** @type {HTMLElement|null} */ (document.activeElement);
    /** @type {any} */
    let answer = null;
    const close = (/** @type {any} */ value) => {
      answer = value;
      dialog.close();
    };
    const dialog = h(
      "dialog",
      { class: `dialog ${wide ? "wide" : ""} ${name}`, "aria-labelledby": "dialog-title", "aria-modal": "true" },
      h(
        "header",
        {},
        h("h2", { id: "dialog-title", tabindex: "-1", text: title }),
        iconButton("close", "Close", () => close(null)),
      ),
      h("div", { class: "dialog-body", tabindex: "0", role: "group", "aria-label": title }, content),
      buttons.length > 0 &&
        h(
          "footer",
          {},
          buttons.map(({ label, value, kind = "" }) => h("button", {
            type: "button",
            class: `button ${kind}`,
            text: label,
            onclick: () => close(value),
          })),
        ),
    );
    const veil = h("div", { class: "veil" }, dialog);
    // Who marks words and lets go beside the dialog does not mean to close it.
    veil.addEventListener("pointerdown", (/** @type {Event} */ event) => {
      if (event.target === veil) close(null);
    });
    const hold = holdFocus(veil, () => close(null));
    dialog.addEventListener("close", () => {
      hold.abort();
      veil.remove();
      const below = [...document.querySelectorAll(".veil")].pop();
      if (!below) before?.focus?.();
      else if (!below.contains(document.activeElement)) below.querySelector("h2")?.focus();
      resolve(answer);
    });
    document.body.append(veil);
    dialog.show();
    (dialog.querySelector("footer .primary") ?? dialog.querySelector("h2")).focus();
  });
}

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex='0']";

/** Keeps the focus in the topmost dialog, and lets Escape close it; until it is aborted. */
function holdFocus(/** @type {HTMLElement} */ veil, /** @type {() => void} */ close) {
  const hold = new AbortController();
  const onTop = () => [...document.querySelectorAll(".veil")].pop() === veil;
  const stops = () => /** @type {HTMLElement[]} */ ([...veil.querySelectorAll(FOCUSABLE)]).filter(
    (one) => !one.matches(":disabled") && one.checkVisibility(),
  );
  document.addEventListener(
    "keydown",
    (event) => {
      if (!onTop() || event.defaultPrevented || event.isComposing) return;
      if (event.key === "Escape") {
        event.preventDefault();
        close();
      } else if (event.key === "Tab") {
        const all = stops();
        const [first, last] = [all[0], all[all.length - 1]];
        const now = document.activeElement;
        if (veil.contains(now) && now !== (event.shiftKey ? first : last)) return;
        event.preventDefault();
        (event.shiftKey ? last : first)?.focus();
      }
    },
    { signal: hold.signal },
  );
  document.addEventListener(
    "focusin",
    (event) => {
      if (onTop() && !veil.contains(/** @type {Node} */ (event.target))) stops()[0]?.focus();
    },
    { signal: hold.signal },
  );
  return hold;
}

/** Closes the topmost dialog, or the one of that name. */
export function closeDialog(name = "dialog") {
  const open = [...document.querySelectorAll(`dialog[open].${name}`)].pop();
  /** @type {HTMLDialogElement|undefined} */ (open)?.close();
}

/** Moves the focus into a popover; Escape, Tab out or a click elsewhere close it. */
export function keepFocus(/** @type {HTMLElement} */ popover, /** @type {() => void} */ close) {
  const before = /** @type {HTMLElement|null} */ (document.activeElement);
  const buttons = () => /** @type {HTMLElement[]} */ ([...popover.querySelectorAll("button, a, input, select")]);
  buttons()[0]?.focus();
  const done = () => {
    document.removeEventListener("pointerdown", outside, true);
    close();
  };
  const outside = (/** @type {Event} */ event) => {
    if (!popover.isConnected) document.removeEventListener("pointerdown", outside, true);
    else if (!popover.contains(/** @type {Node} */ (event.target))) done();
  };
  document.addEventListener("pointerdown", outside, true);
  popover.addEventListener("keydown", (event) => {
    const all = buttons();
    const now = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (event.key === "Escape") {
      done();
      before?.focus?.();
    } else if (event.key === "ArrowDown") all[(now + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp") all[(now - 1 + all.length) % all.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
