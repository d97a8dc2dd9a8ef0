/** What the director reads: sentences out of faults, stacks and clocks. */
import { capital } from '../../lib/words';
import { chips, counted, inPoints, pointsText } from '../lib/format';
import type { Clock, Fault, Prizes, Step, Structure } from '../lib/protocol';

/** Faults as sentences: "Table 3 is in Fantasyland." */
export function sentences(faults: readonly Fault[]): string {
  return faults.map(({ message }) => capital(message.trim()).replace(/[.]?$/, '.')).join(' ');
}

export const seatWords = (at: { table: number; seat: number }): string => `table ${at.table}, seat ${at.seat + 1}`;

/** "620, 10 points" */
export const stackWords = (stack: number, price: number): string => `${chips(stack)}, ${pointsText(inPoints(stack, price))}`;

export function firstName(name: string): string {
  return name.trim().split(/\s+/)[0] ?? name;
}

/** The number of the level at a step, counted from 1; of a break, that of the level before it. */
export function levelAt(structure: Structure, step: number): number {
  return structure.steps.slice(0, step + 1).filter((one) => one.kind === 'level').length;
}

export function stepName(structure: Structure, step: number): string {
  return structure.steps[step]?.kind === 'break' ? 'Break' : `Level ${levelAt(structure, step)}`;
}

export function stepLength(step: Step): string {
  if (step.kind === 'level' && step.minutes === null) return step.hands === null ? 'no end' : counted(step.hands, 'hand');
  return `${step.minutes} min`;
}

/** "next 80 · break after level 8" */
export function whatFollows(structure: Structure, clock: Clock): string {
  const parts = [];
  if (clock.price_next !== null) parts.push(`next ${chips(clock.price_next)}`);
  const next = structure.steps.findIndex((step, index) => index > clock.step && step.kind === 'break');
  if (next > 0) parts.push(`break after level ${levelAt(structure, next)}`);
  return parts.join(' · ') || 'the last level';
}

/** Each paid place's prize, from the first. */
export function prizeList(prizes: Prizes | null): { place: number; prize: number }[] {
  const places: readonly (number | { place: number; prize: number })[] = prizes?.places ?? [];
  return places.map((one, index) => (typeof one === 'number' ? { place: index + 1, prize: one } : one));
}

export const STAGE_WORDS = { setup: 'Being set up', running: 'Running', bagged: 'Stopped for the night', finished: 'Finished' } as const;
