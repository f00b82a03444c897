/** The open line to the server: states come in, orders go out; it mends itself. */

import { during } from "./rest.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;

/**
 * Who is told what comes over the line; `line` says whether it is open.
 * @typedef {object} Listener
 * @property {(state: any) => void} state
 * @property {(message: any) => void} chat
 * @property {(message: any) => void} presence
 * @property {(open: boolean, fatal?: string) => void} line
 */

/**
 * @param {string} id
 * @param {string} token
 * @param {Listener} hear
 */
export function openLine(id, token, hear) {
  /** @type {WebSocket|null} */
  let socket = null;
  let wait = FIRST_WAIT;
  let count = 0;
  let closed = false;
  let refused = "";
  /** @type {string|null} */
  let as = null;
  /** @type {Map<number, {ok: (reply: any) => void, fail: (error: any) => void}>} */
  const asked = new Map();

  const open = () => {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(`${scheme}//${location.host}/api/matches/${id}/live`);
    socket.onopen = () => socket?.send(JSON.stringify({ ...(token && { token }), ...(as && { as }), tells: true }));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "reply") answer(message);
      else if (message.type === "state") {
        wait = FIRST_WAIT;
        hear.line(true);
        hear.state(message);
      } else if (message.type === "error") refused = message.error;
      else if (message.type === "chat") hear.chat(message);
      else if (message.type === "presence") hear.presence(message);
    };
    socket.onclose = () => {
      const broken = new Error("The connection broke off; the order may not have arrived.");
      for (const { fail } of asked.values()) fail(broken);
      asked.clear();
      if (closed) return;
      if (refused) {
        hear.line(false, refused);
        return;
      }
      hear.line(false);
      setTimeout(open, wait);
      wait = Math.min(LONGEST_WAIT, wait * 1.7);
    };
  };

  const answer = (/** @type {any} */ message) => {
    const waiting = asked.get(message.n);
    asked.delete(message.n);
    if (!waiting) return;
    if (message.ok) waiting.ok(message);
    else waiting.fail(Object.assign(
      new Error(message.error ?? "The server refused."),
      { rule: message.rule, status: message.status },
    ));
  };

  open();
  return {
    /**
     * Resolves to the reply; the state that an order led to comes before it.
     * @param {string} type @param {object} body @returns {Promise<any>}
     */
    send(type, body) {
      return during(`sent: ${type}`, new Promise((ok, fail) => {
        if (socket?.readyState !== WebSocket.OPEN) {
          fail(new Error("There is no connection to the server just now."));
          return;
        }
        count += 1;
        asked.set(count, { ok, fail });
        socket.send(JSON.stringify({ type, n: count, ...body }));
      }));
    },
    /** Look with the eyes of another side that this seat holds. @param {string|null} side */
    lookAs(side) {
      as = side;
      return this.send("as", { as: side });
    },
    isOpen: () => socket?.readyState === WebSocket.OPEN,
    close() {
      closed = true;
      socket?.close(1000);
    },
  };
}
