import { Calculator } from './calculator.svelte';
import { shortNames } from './format';
import { fromFragment } from './hand-text';
import { calculatorRules } from './own-rules';
import { PointsEntry } from './points.svelte';
import { dealtIn, seated } from './predict';
import type { BoardRows, ByPlayer, HandResult, PairPoints, Player, Scored, TableCommand } from './protocol';
import type { TableStore } from './table.svelte';

type Step = 'none' | 'points' | 'calculator' | 'confirm';
type EnterPoints = Extract<TableCommand, { do: 'enter-points' }>;

/** A hand's result on its way in: points or boards, who goes into Fantasyland, then what it comes to. */
export class HandEntry {
  step = $state<Step>('none');
  entry = $state.raw<PointsEntry | null>(null);
  calculator = $state.raw<Calculator | null>(null);
  result = $state.raw<HandResult | null>(null);
  /** By this phone, not by the server. */
  guessed = $state(false);
  /** Boards of the calculator, when points were not typed. */
  boards = $state.raw<ByPlayer<BoardRows> | null>(null);
  earned = $state.raw<ByPlayer<number>>({});
  asksEarned = $state(false);
  asksPairs = $state(false);
  /** Who won from whom, where that was asked. */
  pairs = $state.raw<PairPoints[] | null>(null);
  busy = $state(false);
  faults = $state.raw<string[]>([]);
  people = $state.raw<Player[]>([]);
  playing = $state.raw<Player[]>([]);

  #store: TableStore;
  #hand = 0;
  /** Whether Fantasyland was asked about. */
  #asked = false;

  constructor(store: TableStore) {
    this.#store = store;
  }

  start(): void {
    if (!this.#begin()) return;
    this.entry = new PointsEntry(this.playing);
    this.step = 'points';
  }

  /** The numbers of a command that was entered before, to be entered again once the other hand is undone. */
  again(command: EnterPoints): void {
    if (!this.#begin()) return;
    this.#hand = command.hand;
    const players = Object.keys(command.points).flatMap((id) => this.#store.shown?.players[id] ?? []);
    this.entry = new PointsEntry(players, command.points);
    this.earned = command.fantasyland;
    this.#asked = true;
    this.step = 'points';
  }

  openCalculator(fragment?: string): void {
    const entry = this.entry;
    if (!this.#begin()) return;
    this.entry = entry ?? new PointsEntry(this.playing);
    const table = this.#store.shown?.table;
    const event = this.#store.view?.event;
    if (!table || !event) return;
    const names = shortNames(this.playing.map((player) => player.name));
    const given = fragment ? fromFragment(fragment) : null;
    this.calculator?.close();
    this.calculator = new Calculator({
      ...calculatorRules(event.rules),
      price: table.price,
      button: Math.max(0, this.playing.findIndex((player) => player.id === table.seats[table.button])),
      players: this.playing.map((player, index) => {
        const name = names[index] ?? player.name;
        const known = [name.toLowerCase(), player.name.toLowerCase()];
        const named = given?.players.find((one) => known.includes(one.name.toLowerCase()));
        const rows = (named ?? given?.players[index])?.rows;
        return { name, fantasyland: player.fantasyland, stack: player.stack, ...(rows ? { rows } : {}) };
      }),
    });
    this.step = 'calculator';
  }

  backFromCalculator(): void {
    this.step = 'points';
    this.entry ??= new PointsEntry(this.playing);
  }

  /** Settles the typed points by who won from whom. */
  async usePairs(pairs: PairPoints[]): Promise<void> {
    this.asksPairs = false;
    this.pairs = pairs;
    await this.#review();
  }

  back(): void {
    this.faults = [];
    this.pairs = null;
    this.step = this.boards ? 'calculator' : 'points';
    this.boards = null;
  }

  close(): void {
    this.calculator?.close();
    this.calculator = this.entry = this.result = this.boards = this.pairs = null;
    this.faults = [];
    this.asksEarned = this.asksPairs = false;
    this.step = 'none';
  }

  /** What the typed points come to; in Fantasyland it asks first who goes in next. */
  async review(): Promise<void> {
    if (!this.#asked && this.people.some((player) => player.fantasyland > 0)) {
      this.asksEarned = true;
      return;
    }
    await this.#review();
  }

  leaveEarned(): void {
    if (!this.asksEarned) return;
    this.asksEarned = false;
    this.#asked = true;
    void this.#review();
  }

  /** Takes the calculator's boards. */
  async useResult(result: Scored): Promise<void> {
    const text = (seat: number, row: 'top' | 'middle' | 'bottom') => this.calculator?.hand.players[seat]?.rows[row].join(' ') ?? '';
    this.boards = Object.fromEntries(
      this.playing.map((player, seat) => [player.id, { top: text(seat, 'top'), middle: text(seat, 'middle'), bottom: text(seat, 'bottom') }]),
    );
    this.earned = Object.fromEntries(this.playing.flatMap((player, seat) => {
      const cards = result.players[seat]?.fantasyland_next ?? 0;
      return cards > 0 ? [[player.id, cards]] : [];
    }));
    const points = Object.fromEntries(this.playing.map((player, seat) => [player.id, result.players[seat]?.points ?? 0]));
    await this.#review(points);
  }

  /** True when the hand is entered, or kept to be sent later. */
  async agree(): Promise<boolean> {
    this.busy = true;
    this.faults = [];
    const answer = await this.#store.enter(this.#command(), this.result);
    this.busy = false;
    if (answer !== 'kept' && answer.type === 'refused') {
      this.faults = answer.errors.map((fault) => fault.message);
      return false;
    }
    this.close();
    return true;
  }

  #begin(): boolean {
    const shown = this.#store.shown;
    if (!shown) return false;
    const { table, players } = shown;
    this.#hand = table.hand;
    this.playing = dealtIn(table, players);
    this.people = this.#seatedNow();
    this.earned = Object.fromEntries(this.playing.filter((player) => player.declared > 0).map((player) => [player.id, player.declared]));
    this.#asked = false;
    this.boards = this.pairs = null;
    this.faults = [];
    return true;
  }

  #seatedNow(): Player[] {
    const shown = this.#store.shown;
    return shown ? seated(shown.table, shown.players) : [];
  }

  #command(): TableCommand {
    const table = this.#store.number;
    if (this.boards) return { do: 'enter-boards', table, hand: this.#hand, boards: this.boards };
    const named = Object.fromEntries(this.playing.filter((player) => player.declared > 0).map((player) => [player.id, 0]));
    return { do: 'enter-points', table, hand: this.#hand, points: this.playing.length < 2 ? {} : (this.entry?.points ?? {}), fantasyland: { ...named, ...this.earned }, ...(this.pairs ? { pairs: this.pairs } : {}) };
  }

  async #review(points?: ByPlayer<number>): Promise<void> {
    this.busy = true;
    this.faults = [];
    this.people = this.#seatedNow();
    const answer = await this.#store.preview(this.#command());
    this.busy = false;
    const faults = answer?.type === 'previewed' ? answer.faults : answer?.type === 'refused' ? answer.errors : [];
    if (faults.some((fault) => fault.code === 'hand-entered')) {
      await this.#store.enter(this.#command(), this.#store.predict(points ?? this.entry?.points ?? {}, this.earned));
      this.close();
      return;
    }
    if (faults.length > 0) {
      this.faults = faults.map((fault) => fault.message);
      if (this.boards) this.back();
      this.faults = faults.map((fault) => fault.message);
      return;
    }
    const known = answer?.type === 'previewed' ? answer.hand : null;
    this.guessed = known === null;
    this.result = known ?? this.#store.predict(points ?? this.entry?.points ?? {}, this.earned);
    if (this.result) this.step = 'confirm';
  }
}
