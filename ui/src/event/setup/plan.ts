/** A structure under the director's pen, and what is expected of it. */
import type { Suggestion } from '../director/api';
import type { Step, Structure } from '../lib/protocol';

export const DEFAULT_STRUCTURE: Structure = {
  starting_stack: 5000,
  steps: [
    ...[10, 20, 30, 40].map(level), { kind: 'break', minutes: 10 },
    ...[50, 60, 80, 120].map(level), { kind: 'break', minutes: 10 },
    ...[200, 300, 500, 800].map(level),
  ],
  late_until: 4,
  reentries: 0,
};

export function level(price: number): Step {
  return { kind: 'level', price, minutes: 20, hands: null };
}

export function sameStructure(a: Structure, b: Structure): boolean {
  return JSON.stringify(plain(a)) === JSON.stringify(plain(b));
}

/** Only what a structure is made of; the server also tells level numbers. */
export function plain({ starting_stack, steps, late_until, reentries }: Structure): Structure {
  return {
    starting_stack,
    steps: steps.map((step) => (step.kind === 'break' ? { kind: 'break', minutes: step.minutes } : { kind: 'level', price: step.price, minutes: step.minutes, hands: step.hands })),
    late_until,
    reentries,
  };
}

/** The next price after these, rounded as the prices before it are. */
export function nextPrice(steps: readonly Step[], at: number): number {
  const before = steps.slice(0, at + 1).flatMap((step) => (step.kind === 'level' ? [step.price] : []));
  const last = before.at(-1) ?? 10;
  const ratio = before.length > 1 ? Math.min(2, Math.max(1.2, last / (before.at(-2) ?? last))) : 2;
  const size = 10 ** Math.max(0, Math.floor(Math.log10(last * ratio)) - 1);
  return Math.max(last + 1, Math.round((last * ratio) / size) * size);
}

/** "4 h 00", "3 h 50 min", "4:00", "90 min", "240" in minutes; null for anything else. */
export function readLength(text: string): number | null {
  const plainText = text.trim().toLowerCase();
  const hours = /^(\d{1,2})\s*(?:h|:|hours?)\s*(\d{1,2})?\s*(?:min|m|minutes)?$/.exec(plainText);
  if (hours) return Number(hours[1]) * 60 + Number(hours[2] ?? 0);
  const minutes = /^(\d{1,4})\s*(?:min|m|minutes)?$/.exec(plainText);
  return minutes ? Number(minutes[1]) : null;
}

/** 3 h 50 */
export function lengthText(minutes: number): string {
  return `${Math.floor(minutes / 60)} h ${String(Math.round(minutes) % 60).padStart(2, '0')}`;
}

export interface Planned {
  step: Step;
  index: number;
  /** Level number, 0 for a break. */
  number: number;
  /** Minutes after the start; null after a level that is counted in hands or has no end. */
  from: number | null;
  to: number | null;
  /** Players at its beginning, and what their average stack is in points. */
  left: number | null;
  average: number | null;
  /** The level in which half of the events end. */
  isEnd: boolean;
  isLate: boolean;
}

export function planned(steps: readonly Step[], expected: Suggestion | null, handMinutes: number): Planned[] {
  let from: number | null = 0;
  let number = 0;
  return steps.map((step, index) => {
    const length = step.kind === 'level' && step.minutes === null ? (step.hands === null ? null : Math.round(step.hands * handMinutes)) : step.minutes;
    const to: number | null = from === null || length === null ? null : from + length;
    if (step.kind === 'level') number += 1;
    const end = expected?.expected_minutes ?? null;
    const isEnd = end !== null && from !== null && step.kind === 'level' && from <= end && (to === null || end < to);
    const isLate = end !== null && from !== null && from > end;
    const told = step.kind === 'level' ? expected?.levels.find((one) => one.number === number) : undefined;
    const one: Planned = {
      step, index, number: step.kind === 'level' ? number : 0, from, to, left: told?.players ?? null, average: told?.average ?? null, isEnd, isLate,
    };
    from = to;
    return one;
  });
}
