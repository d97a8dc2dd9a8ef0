import { Calculator } from './calculator.svelte';
import { shortNames } from './format';
import type { Card } from './deck';
import { fromFragment, type BoardText } from './hand-text';
import { calculatorRules } from './own-rules';
import { PointsEntry } from './points.svelte';
import { dealtIn, newcomersOf, seated } from './predict';
import type { BoardRows, ByPlayer, HandResult, PairPoints, Player, Scored, TableCommand } from './protocol';
import type { TableStore } from './table.svelte';

type Step = 'none' | 'points' | 'calculator' | 'confirm';
type EnterPoints = Extract<TableCommand, { do: 'enter-points' }>;
type EnterBoards = Extract<TableCommand, { do: 'enter-boards' }>;
type Rows = BoardText['rows'];

function rowsOf(board: BoardRows | undefined): Rows | undefined {
  const cards = (text: string): Card[] => text.split(' ').filter((card) => card !== '') as Card[];
  return board && { top: cards(board.top), middle: cards(board.middle), bottom: cards(board.bottom) };
}

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
  /** Who may be left out, as they sat down while the hand may have been under way, and which of them are in it. */
  newcomers = $state.raw<Player[]>([]);
  joined = $state.raw<ReadonlySet<number>>(new Set());
  #present = $state.raw<Player[]>([]);
  /** Who plays the hand, in the order of the seats. */
  playing = $derived(this.#present.filter((player) => this.joined.has(player.id) || !this.newcomers.includes(player)));

  /** The hand that is entered: the table may be at another one meanwhile. */
  number = $state(0);

  #store: TableStore;
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

  /** What was entered before, to be entered again. */
  again(command: EnterPoints | EnterBoards): void {
    if (!this.#begin()) return;
    const named = command.do === 'enter-points' ? command.points : command.boards;
    this.joined = new Set(this.newcomers.filter((player) => player.id in named).map((player) => player.id));
    if (command.do === 'enter-boards') {
      this.entry = new PointsEntry(this.playing);
      this.#calculate((player) => rowsOf(command.boards[player.id]));
      return;
    }
    this.entry = new PointsEntry(this.playing, command.points);
    this.earned = command.fantasyland;
    this.#asked = true;
    this.step = 'points';
  }

  /** Takes a newcomer into the hand, or leaves them out again; what was entered of the others stays. */
  turn(newcomer: number): void {
    const joined = new Set(this.joined);
    if (!joined.delete(newcomer)) joined.add(newcomer);
    const before = this.playing;
    const boards = this.calculator?.hand.players;
    this.joined = joined;
    this.earned = Object.fromEntries(Object.entries(this.earned).filter(([id]) => this.playing.some((player) => String(player.id) === id)));
    this.entry?.setPlayers(this.playing);
    if (boards) this.#calculate((player) => boards[before.findIndex((one) => one.id === player.id)]?.rows);
  }

  openCalculator(fragment?: string): void {
    if (!this.entry && !this.#begin()) return;
    this.entry ??= new PointsEntry(this.playing);
    const given = fragment ? fromFragment(fragment) : null;
    this.#calculate((player, short, index) => {
      const known = [short.toLowerCase(), player.name.toLowerCase()];
      return (given?.players.find((one) => known.includes(one.name.toLowerCase())) ?? given?.players[index])?.rows;
    });
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

  /** Opens the calculator for those who play; `rows` are the cards that a player has already. */
  #calculate(rows: (player: Player, short: string, index: number) => Rows | undefined): void {
    const table = this.#store.shown?.table;
    const event = this.#store.view?.event;
    if (!table || !event) return;
    const names = shortNames(this.playing.map((player) => player.name));
    const boards = this.playing.map((player, index) => rows(player, names[index] ?? player.name, index));
    this.calculator?.close();
    this.calculator = new Calculator({
      ...calculatorRules(event.rules),
      price: table.price,
      button: Math.max(0, this.playing.findIndex((player) => player.id === table.seats[table.button])),
      players: this.playing.map((player, index) => {
        const had = boards[index];
        return { name: names[index] ?? player.name, fantasyland: player.fantasyland, stack: player.stack, ...(had ? { rows: had } : {}) };
      }),
    });
    this.step = 'calculator';
  }

  #begin(): boolean {
    const shown = this.#store.shown;
    if (!shown) return false;
    const { table, players } = shown;
    this.number = table.hand;
    this.#present = dealtIn(table, players);
    this.newcomers = newcomersOf(table, players);
    this.joined = new Set();
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
    if (this.boards) return { do: 'enter-boards', table, hand: this.number, boards: this.boards };
    const named = Object.fromEntries(this.playing.filter((player) => player.declared > 0).map((player) => [player.id, 0]));
    return { do: 'enter-points', table, hand: this.number, points: this.playing.length < 2 ? {} : (this.entry?.points ?? {}), fantasyland: { ...named, ...this.earned }, ...(this.pairs ? { pairs: this.pairs } : {}) };
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
