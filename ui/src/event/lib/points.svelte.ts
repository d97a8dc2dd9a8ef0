import type { ByPlayer, Player } from './protocol';

const MOST_DIGITS = 4;

interface Line {
  player: Player;
  /** Null: nothing typed. */
  number: number | null;
  lost: boolean;
}

/** A hand's points under entry: all but one number are typed, the last follows. */
export class PointsEntry {
  lines = $state.raw<Line[]>([]);
  active = $state(0);
  /** Lines in the order in which they were typed in, the oldest first. */
  #typed = $state.raw<number[]>([]);

  /** The line that follows from the others; -1 while too few are typed. */
  auto = $derived.by(() => {
    const filled = this.lines.map((line, index) => (line.number === null ? -1 : index)).filter((index) => index >= 0);
    if (this.lines.length < 2 || filled.length < this.lines.length - 1) return -1;
    const empty = this.lines.findIndex((line) => line.number === null);
    return empty >= 0 ? empty : (this.#typed[0] ?? -1);
  });

  values = $derived.by<(number | null)[]>(() => {
    const signed = this.lines.map(({ number, lost }) => (number === null ? null : lost ? -number : number));
    if (this.auto < 0) return signed;
    const others = signed.reduce<number>((sum, value, index) => (index === this.auto ? sum : sum + (value ?? 0)), 0);
    return signed.map((value, index) => (index === this.auto ? -others || 0 : value));
  });

  ready = $derived(this.lines.length < 2 || this.auto >= 0);
  /** What was won and lost in all. */
  total = $derived(this.values.reduce<number>((sum, value) => sum + Math.max(0, value ?? 0), 0));

  constructor(players: readonly Player[], points?: ByPlayer<number>) {
    this.lines = players.map((player, index) => {
      const given = points?.[player.id];
      return { player, number: given === undefined ? null : Math.abs(given), lost: given === undefined ? index % 2 === 1 : given < 0 };
    });
    if (points) this.#typed = players.map((_, index) => index).reverse();
  }

  get points(): ByPlayer<number> {
    return Object.fromEntries(this.lines.map(({ player }, index) => [player.id, this.values[index] ?? 0]));
  }

  /** Other players, in their order: whoever stays keeps what was typed. */
  setPlayers(players: readonly Player[]): void {
    const before = this.lines;
    const active = before[this.active];
    this.lines = players.map((player) => before.find((line) => line.player.id === player.id) ?? { player, number: null, lost: false });
    const placeOf = (line: Line | undefined) => (line ? this.lines.indexOf(line) : -1);
    this.#typed = this.#typed.map((index) => placeOf(before[index])).filter((index) => index >= 0);
    this.active = Math.max(0, placeOf(active));
  }

  choose(index: number): void {
    this.active = index;
  }

  digit(digit: number): void {
    const line = this.lines[this.active];
    if (!line) return;
    const typed = line.number === null || this.auto === this.active ? String(digit) : `${line.number}${digit}`;
    if (typed.length > MOST_DIGITS) return;
    const lost = this.auto === this.active ? (this.values[this.active] ?? 0) < 0 : line.lost;
    this.#set({ number: Number(typed), lost });
  }

  erase(): void {
    const line = this.lines[this.active];
    if (!line || line.number === null) return;
    const rest = String(line.number).slice(0, -1);
    this.#set({ number: rest === '' ? null : Number(rest) });
  }

  turn(index = this.active): void {
    this.active = index;
    const line = this.lines[index];
    if (!line) return;
    if (index !== this.auto) return this.#set({ lost: !line.lost });
    // The one that follows cannot turn by itself: the others do.
    this.lines = this.lines.map((one) => ({ ...one, lost: !one.lost }));
  }

  /** To the next line that has no number. */
  next(): void {
    const empty = this.lines.findIndex((line, index) => line.number === null && index > this.active);
    this.active = empty >= 0 ? empty : (this.active + 1) % Math.max(1, this.lines.length);
  }

  isLost(index: number): boolean {
    const value = this.values[index];
    return index === this.auto ? (value ?? 0) < 0 : (this.lines[index]?.lost ?? false);
  }

  #set(change: Partial<Line>): void {
    const active = this.active;
    this.lines = this.lines.map((line, index) => (index === active ? { ...line, ...change } : line));
    this.#typed = [...this.#typed.filter((index) => index !== active), active];
  }
}
