/* Sounds of the table, made by the browser: a card, chips, your turn. They are off unless the player turns them on. */

import { remember, remembered } from "../page/preferences.js";
import { chipsValue } from "../words/numbers.js";

let context = null;

export function soundsAreOn() {
  return remembered("sounds", "off") === "on";
}

/** Turn sounds on, with one to hear, or off. */
export function chooseSounds(on) {
  remember("sounds", on ? "on" : null);
  if (on) playTurn(ready());
}

/** Follows the views of one table and plays what is new in each; at instant speed only the turn. */
export class Sounds {
  #view = null;

  hear(view) {
    const before = this.#view;
    this.#view = view;
    if (!before || !soundsAreOn()) return;
    const quiet = view.speed === "instant" || view.forwarding;
    if (view.actions && (!before.actions || view.hand !== before.hand || view.step !== before.step)) playTurn(ready());
    else if (quiet) return;
    else if (view.hand !== before.hand || view.board.length > before.board.length) playCard(ready());
    else if (chipsOf(view) !== chipsOf(before)) playChips(ready());
  }
}

/** Everything in front of the players: it changes when somebody bets and when pots are won. */
function chipsOf(view) {
  return view.chairs.map(({ bet, stack }) => `${bet} ${chipsValue(stack)}`).join();
}

function ready() {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
  return context;
}

function playTurn(audio) {
  tone(audio, 660, 0, 0.14, 0.12);
  tone(audio, 880, 0.12, 0.2, 0.12);
}

function playChips(audio) {
  for (const [number, pitch] of [2900, 3500, 3100].entries()) tone(audio, pitch, number * 0.035, 0.05, 0.05);
}

function playCard(audio) {
  const noise = new AudioBuffer({ length: Math.round(audio.sampleRate * 0.07), sampleRate: audio.sampleRate });
  const wave = noise.getChannelData(0);
  for (let place = 0; place < wave.length; place += 1) wave[place] = (2 * Math.random() - 1) * (1 - place / wave.length) ** 2;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 2400, Q: 0.8 });
  source.connect(filter).connect(new GainNode(audio, { gain: 0.25 })).connect(audio.destination);
  source.start();
}

/** A tone that begins after so many seconds and fades away. */
function tone(audio, frequency, after, length, loudness) {
  const start = audio.currentTime + after;
  const source = new OscillatorNode(audio, { frequency });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(loudness, start);
  gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(gain).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}
