import type { Clock } from './protocol';

const TICK_MS = 200;
/** A server's clock this much behind our measure of it means that ours was changed, not that the network was slow. */
const JUMP_MS = 1500;

/**
 * The server's clock as this device can know it, ticking.
 *
 * A message is never early, only late: of several measures the one furthest ahead is the best.
 */
export class ServerTime {
  now = $state(Date.now());
  #offset: number | null = null;
  #behind = 0;
  #timer: ReturnType<typeof setInterval>;

  constructor() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  get offset(): number {
    return this.#offset ?? 0;
  }

  /** Takes a `now` of the server, `travel` the time that its message took, where that is known. */
  learn(now: number, travel = 0): void {
    const measured = now + travel - Date.now();
    this.#behind = this.#offset !== null && measured < this.#offset - JUMP_MS ? this.#behind + 1 : 0;
    if (this.#offset === null || measured > this.#offset || this.#behind >= 2) this.#offset = measured;
    this.#tick();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    this.now = Date.now() + this.offset;
  }
}

/** What is left of the step being played; null when it has no end in time. */
export function leftMs(clock: Clock, now: number): number | null {
  if (clock.ends_at !== null) return Math.max(0, clock.ends_at - now);
  return clock.left_ms;
}

/** How long until the next break, null when none comes. */
export function untilBreakMs(clock: Clock, now: number): number | null {
  if (clock.is_break) return null;
  if (clock.running && clock.next_break_at !== null) return Math.max(0, clock.next_break_at - now);
  return clock.next_break_ms ?? null;
}

/** 12:34, or 1:02:03 when there are hours. A second is shown until it is over, so that 0:00 is the end. */
export function countdown(ms: number, pad = false): string {
  const seconds = Math.ceil(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${pad ? two(minutes) : minutes}:${two(seconds % 60)}`;
}

/** "52 min", "1 h 05" */
export function roughly(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`;
}

const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** 20:14 */
export function timeOfDay(at: number): string {
  return TIME.format(at);
}
