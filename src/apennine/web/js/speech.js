/** What this page says to the server: orders, undo, questions; over the open line, so in turn. */

import { say } from "./announce.js";

/** @typedef {import("./types.js").Option} Option */

/**
 * @param {import("./types.js").App} app
 * @param {ReturnType<typeof import("./live.js").openLine>} line
 */
export function makeSpeech(app, line) {
  /** The last change of the match that was asked for. @type {Promise<any>} */
  let asked = Promise.resolve();
  return {
    /** Gives an order. @param {Option} option @param {string} at  the state in whose menu it was */
    act(option, at) {
      const sent = line.send("act", { at, option: option.slice(0, 4) });
      asked = sent.catch(() => null);
      app.emit("acted");
      return sent;
    },
    /**
     * What an order would lead to, perhaps after others.
     * @param {Option} option @param {Option[]} after @returns {Promise<import("./types.js").Preview|null>}
     */
    preview: (option, after = []) => line.send("preview", {
      option: option.slice(0, 4),
      after: after.map((one) => one.slice(0, 4)),
    }).then(
      (reply) => reply.preview ?? null,
      () => null,
    ),
    /** Why something is not on the menu. @param {any[]} option @returns {Promise<{sentence: string, rule?: string}|null>} */
    why: (option) => line.send("why", { option }).then(({ why }) => why ?? null, () => null),
    /** Takes one order back. @returns {Promise<boolean>} whether it was */
    async takeBack() {
      if (!app.live?.may_undo || app.replaying) return false;
      await line.send("undo", { at: app.live.at });
      return true;
    },
    /** In the state that the order or the undo before it led to, however quick the hand is. */
    undo() {
      asked = asked.then(async () => {
        if (!app.live?.may_undo || app.replaying) return;
        await app.orders.undo();
        say("Undone.");
      }).catch(app.complain);
    },
    /** Looks with the eyes of one of several sides that this seat holds. @param {string|null} side */
    lookAs: (side) => line.lookAs(side).catch(app.complain),
    async download() {
      try {
        const text = await app.api.save();
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
        link.download = `${app.live?.game}-${app.id.slice(0, 6)}.json`;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
      } catch (error) {
        app.complain(error);
      }
    },
  };
}
