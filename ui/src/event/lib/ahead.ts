/**
 * What the clock does by itself from a view on. The server tells each new step too; a page that has no connection knows
 * it by the deadline and the structure.
 */
import { inPoints } from './format';
import type { Clock, EventView, Step, Table } from './protocol';

/** How long a step lasts; null: until somebody or the hands played end it. The last one has no end. */
function lengthMs(steps: readonly Step[], index: number): number | null {
  const minutes = steps[index]?.minutes ?? null;
  return index >= steps.length - 1 || minutes === null ? null : minutes * 60_000;
}

function endAfter(steps: readonly Step[], index: number, start: number | null): number | null {
  const length = lengthMs(steps, index);
  return start === null || length === null ? null : start + length;
}

/** The step that the clock stands at, at `now`. */
export function stepAt({ clock, event }: EventView, now: number): number {
  let { step, ends_at: ends } = clock;
  while (ends !== null && now >= ends) {
    step += 1;
    ends = endAfter(event.structure.steps, step, ends);
  }
  return step;
}

const isBreak = (steps: readonly Step[], index: number): boolean => steps[index]?.kind === 'break';

/** The price of a hand begun at a step: one begun in a break is played after it. */
function priceAt(steps: readonly Step[], index: number): number {
  const level = steps.slice(index).find((step) => step.kind === 'level') ?? steps.findLast((step) => step.kind === 'level');
  return level?.price ?? 0;
}

/**
 * A table with the price of the hand that it plays once the clock has gone on between two steps (R-CHIP-5): Fantasyland
 * keeps its price and a level that ends leaves the hand's, but no hand lasts through a break.
 */
export function pricedAfter(table: Table, steps: readonly Step[], from: number, to: number): Table {
  if (table.held) return table;
  for (let index = to - 1; index >= from; index -= 1) {
    if (isBreak(steps, index)) return { ...table, price: priceAt(steps, index) };
  }
  return table;
}

function nextBreakAt(steps: readonly Step[], step: number, ends: number | null): number | null {
  let at = ends;
  for (let index = step + 1; index < steps.length; index += 1) {
    if (at === null || isBreak(steps, index)) return at;
    at = endAfter(steps, index, at);
  }
  return null;
}

function clockAt(clock: Clock, steps: readonly Step[], step: number): Clock {
  let ends = clock.ends_at;
  for (let index = clock.step + 1; index <= step; index += 1) ends = endAfter(steps, index, ends);
  const following = steps.slice(step + 1).filter((one) => one.kind === 'level');
  const rests = isBreak(steps, step);
  return {
    ...clock, step, ends_at: ends, left_ms: null, is_break: rests,
    level: steps.slice(0, step + 1).filter((one) => one.kind === 'level').length,
    price: priceAt(steps, step),
    price_next: following[rests ? 1 : 0]?.price ?? null,
    next_break_at: nextBreakAt(steps, step, ends), next_break_ms: null,
  };
}

/** The view once its clock has come to a later step by itself. */
export function wentOn(view: EventView, step: number): EventView {
  const { steps } = view.event.structure;
  const clock = clockAt(view.clock, steps, step);
  const tables = Object.fromEntries(
    Object.entries(view.tables).map(([key, table]) => [key, { ...pricedAfter(table, steps, view.clock.step, step), price_clock: clock.price }]),
  );
  const players = Object.fromEntries(
    Object.entries(view.players).map(([key, player]) => {
      const price = player.table === null ? null : (tables[player.table]?.price ?? null);
      return [key, price === null ? player : { ...player, points: inPoints(player.stack, price) }];
    }),
  );
  return { ...view, clock, tables, players };
}
