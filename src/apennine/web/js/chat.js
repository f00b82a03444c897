/** Words between the seats. */

import { say } from "./announce.js";
import { find, h } from "./dom.js";

/** @param {import("./types.js").App} app */
export function mountChat(app) {
  const list = find("#chat-lines");
  const form = find("#chat-form");
  const field = find("#chat-text");
  let shown = 0;
  let first = true;

  const take = (/** @type {any} */ chat) => {
    if (!chat) return;
    const lines = chat.lines ?? (chat.line ? [chat.line] : []);
    for (const line of lines) {
      if (line.n < shown) continue;
      shown = line.n + 1;
      const side = line.side ? ` side-${app.sideOf(line.side)}` : "";
      list.append(h(
        "li",
        { class: side },
        h("span", { class: "side-mark", "aria-hidden": "true" }),
        h("strong", { text: line.name || line.side || "Watcher" }),
        " ",
        h("span", { text: line.text }),
      ));
      if (!first) {
        say(`${line.name || line.side || "Watcher"} says: ${line.text}`);
        app.emit("unread", "chat");
      }
    }
    if (lines.length) list.parentElement.scrollTop = list.parentElement.scrollHeight;
    find("#chat-empty").hidden = shown > 0;
    first = false;
  };

  form.addEventListener("submit", async (/** @type {Event} */ event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return;
    field.value = "";
    try {
      await app.api.say(text);
    } catch (error) {
      field.value = text;
      app.complain(/** @type {any} */ (error));
    }
  });

  app.on("show", () => {
    // Who only watches may read.
    form.hidden = !app.live?.you.length;
    take(app.live?.chat);
  });
  app.on("chat", take);
}
