import { sameCards } from './cards';
import { ROW_SIZE, ROWS, type ByRow, type Card, type Placement, type Row, type View } from './protocol';
import { forget, load, save } from './storage';

export type Place = Row | 'discard';

/** One card put somewhere; cards put down together share a batch and are taken back together. */
interface Move {
  card: Card;
  to: Place;
  batch: number;
}

interface Saved {
  hand: number;
  street: number;
  cards: Card[];
  moves: Move[];
}

/**
 * Where the cards of this street lie until they are confirmed.
 *
 * It survives a reload, and is dropped as soon as the cards to place are other ones. It knows how many
 * places a row has and how many cards are to be placed, nothing else: what an arrangement is worth is the
 * server's to say.
 */
export class Arrangement {
  cards = $state.raw<Card[]>([]);
  toPlace = $state(0);
  chosen = $state.raw<Card[]>([]);
  #moves = $state.raw<Move[]>([]);
  #set = $state.raw<ByRow<number>>({ top: 0, middle: 0, bottom: 0 });
  #key = { table: '', hand: 0, street: 0 };

  placements = $derived<Placement[]>(
    this.#moves.flatMap(({ card, to }) => (to === 'discard' ? [] : [{ card, row: to }])),
  );
  /** Discards chosen by hand. */
  discarded = $derived(this.#moves.filter((move) => move.to === 'discard').map((move) => move.card));
  /** Cards neither placed nor put to the discards. */
  loose = $derived(this.cards.filter((card) => !this.#moves.some((move) => move.card === card)));
  left = $derived(this.toPlace - this.placements.length);
  complete = $derived(this.toPlace > 0 && this.left === 0);
  /** What goes to the discards if confirmed now: chosen ones first, then what is left over. */
  discards = $derived(this.complete ? [...this.discarded, ...this.loose] : this.discarded);
  touched = $derived(this.#moves.length > 0);

  get spare(): number {
    return this.cards.length - this.toPlace;
  }

  inRow(row: Row): Card[] {
    return this.placements.filter((placement) => placement.row === row).map((placement) => placement.card);
  }

  free(row: Row): number {
    return ROW_SIZE[row] - this.#set[row] - this.inRow(row).length;
  }

  placeOf(card: Card): Place | null {
    return this.#moves.find((move) => move.card === card)?.to ?? null;
  }

  /** Takes in a view: the same cards keep their arrangement, others drop it. */
  sync(view: View): void {
    const own = view.you === null ? null : view.seats[view.you];
    const key = { table: view.table, hand: view.hand, street: own?.fantasyland ? 0 : view.street };
    const same = sameCards(this.cards, view.cards) && this.#key.table === key.table && this.#key.hand === key.hand;
    const count = (row: Row) => own?.board?.[row].length ?? 0;
    this.#set = { top: count('top'), middle: count('middle'), bottom: count('bottom') };
    this.toPlace = view.to_place;
    this.#key = key;
    if (same) return;
    this.cards = view.cards;
    this.chosen = [];
    this.#moves = view.cards.length > 0 ? this.#restore() : [];
    if (this.#moves.length === 0) forget(this.#storageKey);
  }

  choose(card: Card, { several }: { several: boolean }): void {
    if (!this.cards.includes(card)) return;
    if (this.chosen.includes(card)) this.chosen = this.chosen.filter((other) => other !== card);
    else this.chosen = several ? [...this.chosen, card] : [card];
  }

  chooseOnly(cards: Card[]): void {
    this.chosen = cards;
  }

  letGo(): void {
    this.chosen = [];
  }

  /** How many of these cards may still go to a place. */
  room(to: Place, cards: readonly Card[]): boolean {
    const moving = cards.filter((card) => this.placeOf(card) !== to);
    if (moving.length === 0) return false;
    if (to === 'discard') return this.discarded.length + moving.length <= this.spare;
    const arriving = moving.filter((card) => (this.placeOf(card) ?? 'discard') === 'discard').length;
    return this.free(to) >= moving.length && this.placements.length + arriving <= this.toPlace;
  }

  put(cards: readonly Card[], to: Place): boolean {
    if (!this.room(to, cards)) return false;
    const batch = 1 + Math.max(0, ...this.#moves.map((move) => move.batch));
    const moving = cards.filter((card) => this.placeOf(card) !== to);
    const others = this.#moves.filter((move) => !moving.includes(move.card));
    this.#store([...others, ...moving.map((card) => ({ card, to, batch }))]);
    this.chosen = [];
    return true;
  }

  /** Puts a card where another lies, which comes back. */
  swap(card: Card, lying: Card): boolean {
    const place = this.placeOf(lying);
    if (place === null || card === lying) return false;
    const from = this.placeOf(card);
    this.#store(
      this.#moves.flatMap((move) => {
        if (move.card === card) return from === null ? [] : [{ ...move, card: lying }];
        return [move.card === lying ? { ...move, card } : move];
      }),
    );
    this.chosen = [];
    return true;
  }

  takeBack(card: Card): void {
    this.#store(this.#moves.filter((move) => move.card !== card));
    this.chosen = [];
  }

  undo(): Card[] {
    const last = Math.max(...this.#moves.map((move) => move.batch));
    const back = this.#moves.filter((move) => move.batch === last).map((move) => move.card);
    this.#store(this.#moves.filter((move) => move.batch !== last));
    this.chosen = [];
    return back;
  }

  clear(): void {
    this.#store([]);
    this.chosen = [];
  }

  get #storageKey(): string {
    return `arrangement.${this.#key.table}`;
  }

  #store(moves: Move[]): void {
    this.#moves = moves;
    const { hand, street } = this.#key;
    if (moves.length === 0) forget(this.#storageKey);
    else save(this.#storageKey, { hand, street, cards: this.cards, moves } satisfies Saved);
  }

  #restore(): Move[] {
    const saved = load(this.#storageKey) as Partial<Saved> | null;
    const { hand, street } = this.#key;
    if (!saved || saved.hand !== hand || saved.street !== street || !Array.isArray(saved.moves)) return [];
    if (!Array.isArray(saved.cards) || !sameCards(saved.cards, this.cards)) return [];
    const moves = saved.moves.filter((move) => this.cards.includes(move.card));
    const fits = ROWS.every((row) => moves.filter((move) => move.to === row).length <= ROW_SIZE[row] - this.#set[row]);
    const placed = moves.filter((move) => move.to !== 'discard').length;
    return fits && placed <= this.toPlace && moves.length - placed <= this.spare ? moves : [];
  }
}
