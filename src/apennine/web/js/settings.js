/** The menu of a match: looks, names, links, saving, resigning. */

import { isOpen, writeReport } from "./aftermath.js";
import { openDialog, closeDialog } from "./dialog.js";
import { h, iconButton } from "./dom.js";
import { CHOICES, prefer, prefs } from "./prefs.js";
import { myName, seatOf, setMyName } from "./seats.js";
import { toast } from "./announce.js";

/** Selects for all preferences. */
export function prefFields() {
  const now = prefs();
  return Object.entries(CHOICES).map(([name, [title, values]]) =>
    h(
      "label",
      { class: "field" },
      h("span", { text: title }),
      h(
        "select",
        {
          id: `pref-${name}`,
          onchange: (/** @type {any} */ event) => prefer(/** @type {any} */ (name), event.target.value),
        },
        Object.entries(values).map(([value, words]) => h("option", {
          value,
          text: words,
          selected: now[/** @type {keyof typeof now} */ (name)] === value,
        })),
      ),
    ),
  );
}

/** A link with a button that copies it. @param {string} title @param {string} path */
export function linkRow(title, path) {
  const address = new URL(path, location.href).href;
  return h(
    "div",
    { class: "link-row" },
    h("span", { text: title }),
    h("input", {
      readonly: true,
      value: address,
      "aria-label": title,
      onfocus: (/** @type {any} */ event) => event.target.select(),
    }),
    iconButton("copy", `Copy the link: ${title}`, async () => {
      await navigator.clipboard?.writeText(address);
      toast("Copied.");
    }),
  );
}

/** @param {import("./types.js").App} app @param {{book: () => void, charts: () => void, forces: () => void, odds: () => void, help: () => void}} doors */
export function openMenu(app, { book, charts, forces, odds, help }) {
  const { live } = app;
  if (!live) return;
  const seat = seatOf(live.id);
  const links = [
    ...Object.entries(seat?.links ?? {}).map(([side, path]) => linkRow(`Invitation: ${side}`, path)),
    seat?.watch ? linkRow("To watch", seat.watch) : null,
  ];
  const name = h("input", { id: "my-name", value: myName(), maxlength: 40, autocomplete: "nickname" });
  const section = (
    /** @type {string} */ title,
    /** @type {any[]} */ ...content
  ) => h("section", {}, h("h3", { text: title }), content);
  openDialog(
    "Menu",
    [
      section(
        "Read",
        h(
          "div",
          { class: "row wrap" },
          Object.entries({ Rulebook: book, Charts: charts, Odds: odds, "Order of battle": forces, "Keys and help": help }).map(([text, onclick]) =>
            h("button", { type: "button", class: "button", text, onclick })),
        ),
      ),
      section(
        "Match",
        h(
          "div",
          { class: "row wrap" },
          h("button", {
            type: "button",
            class: "button",
            text: "Replay",
            onclick: () => {
              closeDialog();
              app.replay.toggle();
            },
          }),
          h("button", { type: "button", class: "button", text: "Download a save", onclick: () => app.download() }),
          isOpen(app) && h("button", {
            type: "button",
            class: "button",
            text: "Write a report",
            onclick: () => writeReport(app),
          }),
          h("a", { class: "button", href: "/", text: "To the lobby" }),
          live.you.length > 0 && !live.outcome && h("button", {
            type: "button",
            class: "button danger",
            text: "Resign …",
            onclick: () => resign(app),
          }),
        ),
      ),
      section("Look", h("div", { class: "fields" }, prefFields())),
      live.you.length > 1 &&
        section(
          "Eyes",
          h(
            "label",
            { class: "field" },
            h("span", { text: "The board shows what is seen by" }),
            h(
              "select",
              { onchange: (/** @type {any} */ event) => app.lookAs(event.target.value || null) },
              h("option", { value: "", text: "the side that must decide" }),
              live.you.map((side) => h("option", { value: side, text: side })),
            ),
          ),
        ),
      live.you.length > 0 &&
        section(
          "Name",
          h(
            "form",
            {
              class: "row",
              onsubmit: (/** @type {Event} */ event) => {
                event.preventDefault();
                setMyName(name.value.trim());
                app.api.name(name.value.trim()).then(() => toast("Your name is set."), app.complain);
              },
            },
            h("label", { class: "sr", for: "my-name", text: "Your name" }),
            name,
            h("button", { class: "button", text: "Set" }),
          ),
        ),
      links.some(Boolean) && section("Links", links),
    ],
    { name: "menu-dialog" },
  );
}

async function resign(/** @type {import("./types.js").App} */ app) {
  closeDialog();
  const sure = await openDialog(
    "Resign?",
    h("p", { text: "The match ends, and the other side wins." }),
    { buttons: [
      { label: "Play on", value: false, kind: "primary" },
      { label: "Resign", value: true, kind: "danger" },
    ] },
  );
  if (sure) app.api.resign().catch(app.complain);
}
