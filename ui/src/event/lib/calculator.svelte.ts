import type { RulesSummary } from '../../lib/protocol';
import { ApiError, eventApi, faultText } from './api';
import { ROWS, ROW_SIZE, type Card, type Row } from './deck';
import type { HandText } from './hand-text';
import { readOwnRules, RulesTextError } from './own-rules';
import type { CalculatorAnswer, CalculatorRequest, Fault, Scored } from './protocol';

const ASK_AFTER_MS = 40;
const RETRY_AFTER_MS = 3000;
const MOST_UNDO = 200;

type Places = Record<Row, (Card | null)[]>;

export interface Seat {
  name: string;
  places: Places;
  /** Cards held in Fantasyland in this hand. */
  fantasyland: number;
  stack: number | null;
}

/** Where the next card goes. */
export interface Spot {
  player: number;
  row: Row;
  index: number;
}

export interface CalculatorStart extends Partial<Omit<HandText, 'players'>> {
  players: { name: string; fantasyland?: number; stack?: number | null; rows?: Record<Row, Card[]> }[];
}

const emptyPlaces = (): Places => ({ top: Array(3).fill(null), middle: Array(5).fill(null), bottom: Array(5).fill(null) });

function placesOf(rows: Record<Row, Card[]> | undefined): Places {
  const places = emptyPlaces();
  for (const row of ROWS) rows?.[row].slice(0, ROW_SIZE[row]).forEach((card, index) => (places[row][index] = card));
  return places;
}

export const cardsIn = (seat: Seat): Card[] => ROWS.flatMap((row) => seat.places[row].filter((card) => card !== null));

/** Boards under entry, and what the server says of them. */
export class Calculator {
  seats = $state.raw<Seat[]>([]);
  rules = $state('tournament');
  own = $state('');
  price = $state<number | null>(null);
  button = $state<number | null>(null);
  spot = $state.raw<Spot>({ player: 0, row: 'top', index: 0 });
  /** The marked place was chosen, rather than being the next free one. */
  picked = $state(false);

  answer = $state.raw<CalculatorAnswer | null>(null);
  /** Points between those whose boards are complete, while others are not. */
  soFar = $state.raw<Scored | null>(null);
  faults = $state.raw<Fault[]>([]);
  problem = $state('');

  used = $derived(new Set(this.seats.flatMap(cardsIn)));
  placed = $derived(this.seats.map((seat) => cardsIn(seat).length));
  complete = $derived(this.placed.length > 0 && this.placed.every((count) => count === 13));
  started = $derived(this.used.size > 0);
  #past = $state.raw<{ seats: Seat[]; spot: Spot }[]>([]);
  canUndo = $derived(this.#past.length > 0);

  #asking: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(start: CalculatorStart) {
    this.open(start);
  }

  open(start: CalculatorStart): void {
    this.rules = start.rules ?? this.rules;
    this.own = start.own ?? '';
    this.price = start.price ?? null;
    this.button = start.button ?? null;
    this.seats = start.players.map((player) => ({
      name: player.name,
      places: placesOf(player.rows),
      fantasyland: player.fantasyland ?? 0,
      stack: player.stack ?? null,
    }));
    this.#past = [];
    this.#toFirstGap(0);
    this.ask();
  }

  get hand(): HandText {
    const players = this.seats.map(({ name, places, fantasyland, stack }) => {
      const cards = (row: Row) => places[row].filter((card) => card !== null);
      return { name, rows: { top: cards('top'), middle: cards('middle'), bottom: cards('bottom') }, fantasyland, stack };
    });
    return { rules: this.rules, own: this.own, price: this.price, button: this.button, players };
  }

  cardAt({ player, row, index }: Spot): Card | null {
    return this.seats[player]?.places[row][index] ?? null;
  }

  /** Puts a card at the marked place, in place of the one that is there. */
  put(card: Card): boolean {
    if (this.used.has(card) || (this.complete && this.cardAt(this.spot) === null)) return false;
    const from = this.spot;
    this.picked = false;
    this.#change((places) => (places[from.row][from.index] = card));
    this.#toFirstGap(from.player, from.row);
    return true;
  }

  /** Marks a place. A second tap on its card takes the card away. */
  mark(spot: Spot): void {
    const again = this.picked && spot.player === this.spot.player && spot.row === this.spot.row && spot.index === this.spot.index;
    if (again && this.cardAt(spot)) this.#change((places) => (places[spot.row][spot.index] = null));
    this.spot = spot;
    this.picked = true;
  }

  show(player: number): void {
    this.spot = { player, row: 'top', index: 0 };
    this.#toFirstGap(player, 'top', true);
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    this.seats = before.seats;
    this.spot = before.spot;
    this.ask();
  }

  /** Moves the mark by rows or places, as the arrow keys do. */
  step(rows: number, places: number): void {
    const row = ROWS[Math.min(2, Math.max(0, ROWS.indexOf(this.spot.row) + rows))] ?? 'top';
    const index = Math.min(ROW_SIZE[row] - 1, Math.max(0, this.spot.index + places));
    this.spot = { ...this.spot, row, index };
    this.picked = true;
  }

  newHand(): void {
    this.#remember();
    this.seats = this.seats.map((seat) => ({ ...seat, places: emptyPlaces(), fantasyland: 0 }));
    this.spot = { player: 0, row: 'top', index: 0 };
    this.ask();
  }

  setCount(count: number): void {
    const more = Array.from({ length: Math.max(0, count - this.seats.length) }, (_, index) => ({
      name: `Player ${this.seats.length + index + 1}`, places: emptyPlaces(), fantasyland: 0, stack: null,
    }));
    this.seats = [...this.seats, ...more].slice(0, count);
    if (this.button !== null && this.button >= count) this.button = null;
    if (this.spot.player >= count) this.show(0);
    this.ask();
  }

  setSeat(player: number, change: Partial<Omit<Seat, 'places'>>): void {
    this.seats = this.seats.map((seat, index) => (index === player ? { ...seat, ...change } : seat));
    this.ask();
  }

  /** Chooses a rule set, with a number of players that it allows. */
  setRules(rules: RulesSummary): void {
    this.rules = rules.id;
    this.own = '';
    if (!rules.seats.includes(this.seats.length)) this.setCount(Math.max(...rules.seats));
    this.ask();
  }

  /** Asks the server soon; what is asked last wins. */
  ask(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), ASK_AFTER_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#asking?.abort();
  }

  #request(seats: readonly Seat[]): CalculatorRequest {
    const money = this.price !== null && seats.every((seat) => seat.stack !== null);
    return {
      rules: this.own ? readOwnRules(this.own) : this.rules,
      button: seats.length === this.seats.length ? this.button : null,
      price: money ? this.price : null,
      players: seats.map(({ name, places, fantasyland, stack }, index) => ({
        name: name.trim() || `Player ${index + 1}`,
        top: places.top.filter(Boolean).join(' '),
        middle: places.middle.filter(Boolean).join(' '),
        bottom: places.bottom.filter(Boolean).join(' '),
        fantasyland,
        stack: money ? stack : null,
      })),
    };
  }

  async #ask(): Promise<void> {
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    try {
      const all = eventApi.calculate(this.#request(this.seats), asking.signal);
      const [answer, soFar] = await Promise.all([all, this.#askSoFar(asking.signal)]);
      if (asking.signal.aborted) return;
      this.answer = answer;
      this.soFar = soFar;
      this.faults = [];
      this.problem = '';
    } catch (error) {
      if (asking.signal.aborted) return;
      this.faults = error instanceof ApiError ? error.faults : [];
      this.problem = error instanceof RulesTextError ? error.message : faultText(error);
      const reached = error instanceof ApiError || error instanceof RulesTextError;
      if (reached) this.answer = this.soFar = null;
      else this.#timer = setTimeout(() => void this.#ask(), RETRY_AFTER_MS);
    }
  }

  async #askSoFar(signal: AbortSignal): Promise<Scored | null> {
    const done = this.seats.filter((_, index) => this.placed[index] === 13);
    if (done.length < 2 || done.length === this.seats.length) return null;
    try {
      return (await eventApi.calculate(this.#request(done), signal)).result;
    } catch {
      return null; // These rules do not let so few play; it is only a foretaste.
    }
  }

  #remember(): void {
    this.#past = [...this.#past.slice(-MOST_UNDO), { seats: this.seats, spot: this.spot }];
  }

  #change(change: (places: Places) => void): void {
    this.#remember();
    const { player } = this.spot;
    this.seats = this.seats.map((seat, index) => {
      if (index !== player) return seat;
      const places = { top: [...seat.places.top], middle: [...seat.places.middle], bottom: [...seat.places.bottom] };
      change(places);
      return { ...seat, places };
    });
    this.ask();
  }

  /** The next free place: in this row, on this board, then on the boards that follow. */
  #toFirstGap(player: number, row: Row = 'top', stay = false): void {
    const boards = this.seats.map((_, offset) => (player + offset) % this.seats.length);
    const from = ROWS.indexOf(row);
    for (const board of stay ? boards.slice(0, 1) : boards) {
      const rows = board === player ? [...ROWS.slice(from), ...ROWS.slice(0, from)] : ROWS;
      for (const one of rows) {
        const index = this.seats[board]?.places[one].indexOf(null) ?? -1;
        if (index >= 0) {
          this.spot = { player: board, row: one, index };
          return;
        }
      }
    }
  }
}
