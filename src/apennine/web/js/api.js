/** The server's HTTP side. Every refusal arrives as an ApiError with the server's own sentence. */

import { during } from "./rest.js";

export class ApiError extends Error {
  /** @param {string} sentence @param {number} status @param {string} [rule] */
  constructor(sentence, status, rule) {
    super(sentence);
    this.status = status;
    this.rule = rule;
  }
}

/**
 * @param {string} path
 * @param {{method?: string, body?: any, token?: string, text?: boolean}} [how]
 */
export const ask = (path, how = {}) => during(path, request(path, how));

/** @param {string} path @param {{method?: string, body?: any, token?: string, text?: boolean}} how */
async function request(path, { method = "GET", body, token, text = false }) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = typeof body === "string" ? "text/plain; charset=utf-8" : "application/json";
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers,
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
  } catch {
    throw new ApiError("The server does not answer.", 0);
  }
  if (!answer.ok) {
    const said = await answer.json().catch(() => ({}));
    throw new ApiError(said.error ?? `The server answered ${answer.status}.`, answer.status, said.rule);
  }
  return text ? answer.text() : answer.json();
}

/** What every visitor may ask. */
export const games = () => ask("/api/games");
export const matches = () => ask("/api/matches");
export const board = (/** @type {string} */ game) => ask(`/api/games/${game}/board`);
export const drawing = (/** @type {string} */ address) => ask(address, { text: true });
export const charts = (/** @type {string} */ game) => ask(`/api/games/${game}/charts`);
export const sandTable = (/** @type {string} */ game) => ask(`/api/games/${game}/odds`);
export const odds = (/** @type {string} */ game, /** @type {object} */ wanted) => ask(`/api/games/${game}/odds`, { method: "POST", body: wanted });
export const guide = (/** @type {string} */ game) => ask(`/api/games/${game}/guide`);
export const rules = (/** @type {string} */ game) => ask(`/api/games/${game}/rules`);
export const rule = (/** @type {string} */ game, /** @type {string} */ id) => ask(`/api/games/${game}/rules/${encodeURIComponent(id)}`);
export const mine = (/** @type {{id: string, token: string}[]} */ tokens) => ask("/api/mine", { method: "POST", body: { tokens } });
export const create = (/** @type {object} */ wanted) => ask("/api/matches", { method: "POST", body: wanted });
export const join = (/** @type {string} */ id, /** @type {string} */ side, /** @type {string|undefined} */ name) =>
  ask(`/api/matches/${id}/join`, { method: "POST", body: { side, ...(name && { name }) } });
export const upload = (/** @type {string} */ save, /** @type {string} */ seats, /** @type {string} */ name) =>
  ask(
    `/api/saves?${new URLSearchParams({ ...(seats && { seats }), ...(name && { name }) })}`,
    { method: "POST", body: save },
  );

/** One match as one seat may ask about it. @param {string} id @param {string} token */
export function matchApi(id, token) {
  const at = `/api/matches/${id}`;
  const get = (/** @type {string} */ what, text = false) => ask(`${at}/${what}`, { token, text });
  const post = (/** @type {string} */ what, body = {}) => ask(`${at}/${what}`, { method: "POST", token, body });
  const eyes = (/** @type {string|null} */ side) => (side ? `?as=${encodeURIComponent(side)}` : "");
  return {
    state: (/** @type {string|null} */ side = null) => get(side ? `state?as=${encodeURIComponent(side)}` : "state"),
    rollback: (/** @type {number} */ to, /** @type {string|null} */ side = null) =>
      post("rollback", { to, ...(side && { as: side }) }),
    answer: (/** @type {boolean} */ accept) => post("rollback/answer", { accept }),
    odds: (/** @type {{target: string, units: string[]}} */ wanted) => post("odds", wanted),
    resign: () => post("resign"),
    say: (/** @type {string} */ text) => post("chat", { text }),
    pace: (/** @type {string} */ pace) => post("pace", { pace }),
    name: (/** @type {string} */ name) => post("name", { name }),
    roll: (/** @type {string} */ now, /** @type {number[]} */ faces) => post("roll", { at: now, faces }),
    overlay: (/** @type {string} */ name, /** @type {string} */ side, /** @type {string|null} */ unit) =>
      get(`overlay?name=${encodeURIComponent(name)}&side=${encodeURIComponent(side)}${unit ? `&unit=${encodeURIComponent(unit)}` : ""}`),
    log: (/** @type {number} */ from, /** @type {number} */ to) => get(`log?from=${from}&to=${to}`),
    chronicle: () => get("chronicle"),
    moments: (/** @type {string|null} */ side = null) => get(`replay${eyes(side)}`),
    moment: (/** @type {number} */ k, /** @type {string|null} */ side = null) => get(`replay/${k}${eyes(side)}`),
    schedule: (/** @type {string|null} */ side = null) => get(`schedule${eyes(side)}`),
    report: () => get("report", true),
    save: () => get("save", true),
  };
}
