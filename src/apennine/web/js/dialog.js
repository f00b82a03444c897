/** Dialogs and popovers; both give the focus back to where it was. */

import { h, iconButton } from "./dom.js";

/**
 * A dialog over the page. Resolves to what its button says, or null.
 * @param {string} title
 * @param {any} content
 * @param {{buttons?: {label: string, value: any, kind?: string}[], wide?: boolean, name?: string}} [how]
 * @returns {Promise<any>}
 */
export function openDialog(title, content, { buttons = [], wide = false, name = "" } = {}) {
  return new Promise((resolve) => {
    const before = /** @type {HTMLElement|null} */ (document.activeElement);
    let answer = null;
    const close = (/** @type {any} */ value) => {
      answer = value;
      dialog.close();
    };
    const dialog = h(
      "dialog",
      { class: `dialog ${wide ? "wide" : ""} ${name}`, "aria-labelledby": "dialog-title" },
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
    dialog.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      if (event.target === dialog) close(null);
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      before?.focus?.();
      resolve(answer);
    });
    document.body.append(dialog);
    dialog.showModal();
    (dialog.querySelector("footer .primary") ?? dialog.querySelector("h2")).focus();
  });
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
