/** The steps of a structure with the times at which they begin, as far as the clock tells. */
import type { Clock, Structure } from './protocol';

export interface StepLine {
  index: number;
  /** Level number; null for a break. */
  level: number | null;
  price: number | null;
  state: 'done' | 'now' | 'to come';
  minutes: number | null;
  hands: number | null;
  /** When it begins; null where that cannot be said. */
  at: number | null;
}

export function stepLines(structure: Structure, clock: Clock, started: boolean): StepLine[] {
  let level = 0;
  let at: number | null = null;
  return structure.steps.map((step, index) => {
    if (step.kind === 'level') level += 1;
    const state = started && index < clock.step ? 'done' : started && index === clock.step ? 'now' : 'to come';
    const line: StepLine = {
      index, state,
      level: step.kind === 'level' ? level : null,
      price: step.kind === 'level' ? step.price : null,
      minutes: step.minutes,
      hands: step.kind === 'level' ? step.hands : null,
      at: state === 'to come' ? at : null,
    };
    if (state === 'now') at = clock.ends_at;
    else if (state === 'to come' && at !== null) at = step.minutes === null ? null : at + step.minutes * 60_000;
    return line;
  });
}

/** Lower case without accents: "Zoë" is found by "zoe". */
export function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
