/** What can be made of a match: a written report, and another match that goes on from a moment. */

import { toast } from "./announce.js";
import { matchApi, upload } from "./api.js";
import { myName, remember } from "./seats.js";

/** Whether the whole match lies open: it is over, or nobody else plays. @param {import("./types.js").App} app */
export const isOpen = ({ live }) =>
  Boolean(live && (live.outcome || (live.you.length > 0 && live.seats.every((seat) => seat.kind === "bot" || live.you.includes(seat.side)))));

/** Has the server write the report, and gives it as a file. @param {import("./types.js").App} app */
export async function writeReport(app) {
  toast("The report is being written …");
  try {
    const page = await app.api.report();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    link.download = `${app.live?.game}-report.html`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  } catch (error) {
    app.complain(/** @type {any} */ (error));
  }
}

/**
 * Makes a match of one's own that goes on from a moment of this one, and opens it.
 * @param {import("./types.js").App} app @param {number} moment @param {string|null} side  by whose count
 */
export async function tryFrom(app, moment, side) {
  const { live } = app;
  if (!live) return;
  try {
    const seats = live.seats.map((seat) => [seat.side, seat.kind === "bot" ? `bot:${seat.bot}` : "me"]);
    const made = await upload(await app.api.save(), JSON.stringify(Object.fromEntries(seats)), myName());
    await matchApi(made.id, made.token).rollback(moment, side);
    remember({ id: made.id, token: made.token, game: live.game, links: made.links, watch: made.watch });
    location.href = `/match/${made.id}`;
  } catch (error) {
    app.complain(/** @type {any} */ (error));
  }
}
