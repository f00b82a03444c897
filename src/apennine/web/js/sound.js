/** Sounds, made here out of noise and tones: dice, guns, the call that one is to act. Off unless asked for. */

import { prefs } from "./prefs.js";

const LOUD = 0.25;

/** @typedef {"dice"|"guns"|"turn"} Sound */

/** @param {import("./types.js").App} app */
export function mountSound(app) {
  /** @type {AudioContext|null} */
  let audio = null;
  let mine = app.live?.decision?.waiting === false;

  /** A browser lets a page sound only after a hand was on it. */
  const wake = () => {
    if (prefs().sound !== "on") return;
    audio ??= new AudioContext();
    if (audio.state === "suspended") audio.resume();
  };
  document.addEventListener("pointerdown", wake);
  document.addEventListener("keydown", wake);

  /** A burst of noise through a filter. @param {AudioContext} out @param {number} at @param {number} pitch @param {number} length @param {number} loud */
  const noise = (out, at, pitch, length, loud) => {
    const buffer = out.createBuffer(1, Math.ceil(out.sampleRate * length), out.sampleRate);
    const data = buffer.getChannelData(0);
    for (let k = 0; k < data.length; k += 1) data[k] = (Math.random() * 2 - 1) * (1 - k / data.length) ** 3;
    const source = new AudioBufferSourceNode(out, { buffer });
    const filter = new BiquadFilterNode(out, { type: "lowpass", frequency: pitch });
    source.connect(filter).connect(new GainNode(out, { gain: loud })).connect(out.destination);
    source.start(at);
  };
  /** @param {AudioContext} out @param {number} at @param {number} pitch */
  const tone = (out, at, pitch) => {
    const source = new OscillatorNode(out, { type: "sine", frequency: pitch });
    const gain = new GainNode(out, { gain: 0 });
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(LOUD, at + 0.02);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.5);
    source.connect(gain).connect(out.destination);
    source.start(at);
    source.stop(at + 0.55);
  };
  /** @type {Record<Sound, (out: AudioContext, now: number) => void>} */
  const sounds = {
    dice(out, now) {
      for (const after of [0, 0.07, 0.12, 0.21, 0.26]) noise(out, now + after, 4200, 0.05, LOUD);
    },
    guns(out, now) {
      for (const after of [0, 0.28]) noise(out, now + after, 180, 0.7, LOUD * 3);
    },
    turn(out, now) {
      tone(out, now, 523);
      tone(out, now + 0.16, 784);
    },
  };
  const play = (/** @type {Sound} */ name) => {
    if (prefs().sound !== "on" || !audio) return;
    sounds[name](audio, audio.currentTime);
    app.emit("sound", name);
  };

  app.on("news", (/** @type {import("./types.js").Entry[]} */ entries) => {
    const rolls = entries.filter((entry) => entry.kind === "rolled");
    if (rolls.length) play("dice");
    if (rolls.some((entry) => entry.column) || entries.some((entry) => entry.kind === "event" && entry.unit && entry.hex)) play("guns");
  });
  app.on("heard", () => {
    const now = app.live?.decision?.waiting === false;
    if (now && !mine) play("turn");
    mine = now;
  });
}
