import { settings } from './settings.svelte';

export type Sound = 'deal' | 'place' | 'turn' | 'won' | 'lost' | 'fantasyland';

/** Notes: frequency in hertz, start and length in seconds. Every sound ends within 400 ms. */
const NOTES: Record<Sound, { wave: OscillatorType; gain: number; notes: [number, number, number][] }> = {
  deal: { wave: 'triangle', gain: 0.05, notes: [[420, 0, 0.05], [520, 0.06, 0.05]] },
  place: { wave: 'triangle', gain: 0.08, notes: [[300, 0, 0.07]] },
  turn: { wave: 'sine', gain: 0.09, notes: [[587, 0, 0.12], [880, 0.12, 0.2]] },
  won: { wave: 'sine', gain: 0.09, notes: [[523, 0, 0.12], [659, 0.1, 0.12], [784, 0.2, 0.16]] },
  lost: { wave: 'sine', gain: 0.08, notes: [[392, 0, 0.14], [311, 0.14, 0.2]] },
  fantasyland: { wave: 'triangle', gain: 0.08, notes: [[659, 0, 0.1], [784, 0.08, 0.1], [988, 0.16, 0.1], [1319, 0.24, 0.14]] },
};

let context: AudioContext | null = null;
let touched = false;

// Silent until the first tap or key: before that a browser would refuse anyway.
for (const kind of ['pointerdown', 'keydown']) {
  addEventListener(kind, () => (touched = true), { once: true, capture: true });
}

export function play(sound: Sound): void {
  if (!touched || !settings.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  const { wave, gain, notes } = NOTES[sound];
  for (const [frequency, start, length] of notes) {
    const from = context.currentTime + start;
    const oscillator = new OscillatorNode(context, { type: wave, frequency });
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(gain, from + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + length);
    oscillator.connect(volume).connect(context.destination);
    oscillator.start(from);
    oscillator.stop(from + length);
  }
}
