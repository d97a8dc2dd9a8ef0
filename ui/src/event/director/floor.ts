/** The floor at a glance: what each table needs, in words, from what the server told. */
import { chips, shortNames } from '../lib/format';
import { tablesText, waitsFor } from '../lib/pace';
import type { EventView, Player, Table } from '../lib/protocol';

export type Need = 'waiting' | 'fantasyland' | 'moving' | 'short';
export type Filter = 'all' | Need;

/** A result is overdue after this long while the clock runs. */
const OVERDUE_MS = 10 * 60_000;
const MINUTE_MS = 60_000;

export interface Coming {
  name: string;
  stack: number;
  /** It waits for a Fantasyland to be done. */
  waits: boolean;
}

export interface SeatOnFloor {
  seat: number;
  player: Player | null;
  /** Who will sit here. */
  coming: Coming | null;
  /** Will leave, or should. */
  leaving: boolean;
  short: boolean;
}

export interface TableOnFloor {
  table: Table;
  seats: SeatOnFloor[];
  /** Most urgent first. */
  needs: Need[];
  line: string;
  /** The same without what a heading says already. */
  brief: string;
  /** How long ago the last result came; null before the first. */
  agoMs: number | null;
  openSeat: boolean;
}

export interface Floor {
  tables: TableOnFloor[];
  counts: Record<Filter, number>;
}

/** From when on a result can be waited for: the clock stood before, or there was a break. */
function playedSince(view: EventView, now: number, runningSince: number): number {
  const { steps } = view.event.structure;
  const { step, left_ms, ends_at } = view.clock;
  const here = steps[step];
  const left = ends_at !== null ? ends_at - now : left_ms;
  if (!here?.minutes || left === null) return runningSince;
  const began = now - (here.minutes * MINUTE_MS - left);
  const first = steps.slice(0, step).every((one) => one.kind === 'break');
  return first || steps[step - 1]?.kind === 'break' ? Math.max(began, runningSince) : runningSince;
}

export const minutesOf = (ms: number): number => Math.max(0, Math.floor(ms / MINUTE_MS));

export function readFloor(view: EventView, now: number, runningSince: number): Floor {
  const since = playedSince(view, now, runningSince);
  const tables = Object.values(view.tables).sort((a, b) => a.number - b.number).map((table) => readTable(view, table, now, since));
  const count = (need: Need) => tables.filter(({ needs }) => needs.includes(need)).length;
  return {
    tables,
    counts: { all: tables.length, waiting: count('waiting'), fantasyland: count('fantasyland'), moving: count('moving'), short: count('short') },
  };
}

function readTable(view: EventView, table: Table, now: number, since: number): TableOnFloor {
  const at = (id: number | null): Player | null => (id === null ? null : (view.players[id] ?? null));
  const planned = view.moves.filter(({ player }) => at(player)?.table === table.number);
  const proposed = view.proposed.filter(({ player }) => at(player)?.table === table.number);
  const leaving = new Set([...planned, ...proposed].map(({ player }) => player));
  const joining = view.moves.filter(({ to }) => to.table === table.number);

  const seats = table.seats.map((id, seat): SeatOnFloor => {
    const move = joining.find(({ to }) => to.seat === seat);
    const mover = move ? at(move.player) : null;
    return {
      seat,
      player: at(id),
      coming: move && mover ? { name: mover.name, stack: mover.stack, waits: move.waits_for !== null } : null,
      leaving: id !== null && leaving.has(id),
      short: id !== null && table.short.includes(id),
    };
  });

  const players = seats.flatMap(({ player }) => player ?? []);
  const short = shortNames(players.map(({ name }) => name));
  const nameOf = (id: number): string => short[players.findIndex((player) => player.id === id)] ?? at(id)?.name ?? '';

  const from = table.last_result_at === null ? since : Math.max(table.last_result_at, since);
  const waits = players.length > 1 ? waitsFor(view.event, table) : [];
  const waitingMs = waits.length === 0 && view.clock.running && !view.clock.is_break && from > 0 ? now - from : 0;
  const agoMs = table.last_result_at === null ? null : now - table.last_result_at;

  const needs: Need[] = [];
  if (waitingMs >= OVERDUE_MS) needs.push('waiting');
  if (table.held) needs.push('fantasyland');
  if (leaving.size > 0) needs.push('moving');
  if (table.short.length > 0) needs.push('short');

  const openSeat = seats.some(({ player, coming }) => !player && !coming);
  const inFantasyland = players.filter((player) => player.fantasyland > 0 || player.declared > 0);
  const told = agoMs === null ? 'first hand' : minutesOf(agoMs) === 0 ? 'result just now' : `result ${minutesOf(agoMs)} min ago`;
  const running = waits.length > 0 ? `waits for ${tablesText(waits)}` : `${told}${openSeat ? ' · open seat' : ''}`;
  const points = (id: number): number => at(id)?.points ?? 0;

  const waited = `${minutesOf(waitingMs)} min`;
  const moves = [...planned.map(({ player, to }) => `${nameOf(player)} to ${to.table}`), ...proposed.map(({ player }) => `${nameOf(player)} next`)];
  const breaking = leaving.size === players.length && players.length > 0;
  const moving = `${breaking ? 'Breaking' : planned.length > 0 ? 'Moving' : 'To move'} · ${moves.join(', ')}`;
  const [one] = table.short;
  const shortLine =
    table.short.length === 1 && one !== undefined
      ? `Short stack · ${nameOf(one)} has ${points(one)} ${points(one) === 1 ? 'point' : 'points'}`
      : `Short · ${table.short.map((id) => `${nameOf(id)} ${points(id)}`).join(', ')} points`;
  const kept = table.price === table.price_clock ? `keeps ${chips(table.price)}` : `keeps ${chips(table.price)}, clock ${chips(table.price_clock)}`;
  const who = inFantasyland.map(({ id }) => nameOf(id)).join(', ') || 'Fantasyland';

  const lines: Record<Need, [string, string]> = {
    waiting: [`Waiting for result · ${waited}`, `Waiting · ${waited}`],
    fantasyland: [`In Fantasyland · ${kept}`, `${who} · ${table.price === table.price_clock ? 'same as clock' : `clock is at ${chips(table.price_clock)}`}`],
    moving: [moving, moving],
    short: [shortLine, shortLine],
  };
  const [first] = needs;
  const stands = waits.length > 0 ? 'Hand done' : view.event.stage === 'running' && view.clock.running ? 'Running' : 'Clock stands';
  const [line, brief] = first ? lines[first] : [`${stands} · ${running}`, `${running.charAt(0).toUpperCase()}${running.slice(1)}`];
  return { table, seats, needs, line, brief, agoMs, openSeat };
}

export const shownBy = (filter: Filter) => ({ needs }: TableOnFloor): boolean => filter === 'all' || needs.includes(filter);

/** For a phone: what needs somebody, then Fantasyland, then the oldest result. */
export function byNeed(tables: readonly TableOnFloor[]): { title: string; tables: TableOnFloor[] }[] {
  const group = ({ needs: [first] }: TableOnFloor): number => (first === undefined ? 2 : first === 'fantasyland' ? 1 : 0);
  const rank: Record<Need, number> = { waiting: 0, moving: 1, short: 2, fantasyland: 3 };
  const titles = ['Needs you', 'In Fantasyland, price kept', 'Running'];
  const sorted = [...tables].sort((a, b) => {
    const [one, two] = [a.needs[0], b.needs[0]];
    if (one && two && one !== two) return rank[one] - rank[two];
    return (b.agoMs ?? Infinity) - (a.agoMs ?? Infinity) || a.table.number - b.table.number;
  });
  return titles
    .map((title, index) => ({ title, tables: sorted.filter((table) => group(table) === index) }))
    .filter((one) => one.tables.length > 0);
}
