import { getContext, setContext } from 'svelte';
import type { IconName } from '../../lib/icons';
import { eventApi } from '../lib/api';
import type { Done, EventCommand, EventView, LogEntry, Player, SeatAt, Table } from '../lib/protocol';
import { chips, counted } from '../lib/format';
import { EventSocket } from '../lib/socket.svelte';
import type { Correction } from './correcting';
import { readFloor, type Filter, type Floor } from './floor';
import { sentences, stepName } from './words';

export type Panel =
  | { kind: 'table'; table: number }
  | { kind: 'result'; table: number; correction?: Correction }
  | { kind: 'player'; player: number }
  | { kind: 'move'; player: number }
  | { kind: 'players' }
  | { kind: 'add' }
  | { kind: 'steps' }
  | { kind: 'prizes' }
  | { kind: 'deal' }
  | { kind: 'print' }
  | { kind: 'share' }
  | { kind: 'league' }
  | { kind: 'log' };

export interface StackChange {
  name: string;
  before: number;
  after: number;
}

/** Something that hurts, asked with its numbers before it is done. */
export interface Question {
  title: string;
  text?: string[];
  stacks?: StackChange[];
  button: string;
  icon?: IconName;
  keep?: string;
  command: EventCommand;
  /** The state that it was decided on. */
  seq: number;
  then?: () => void;
}

export interface Told {
  words: string;
  /** What can be taken back, or made to count again. */
  action: number | null;
  again: boolean;
}

const SLOW_MS = 5000;
const SEEN_MS = 2000;
const LOOK_MS = 20;

/** One director's page: the event as the server tells it, what is open on the page, and what was just done. */
export class Director {
  readonly event: string;
  readonly socket: EventSocket;
  panels = $state.raw<Panel[]>([]);
  question = $state.raw<Question | null>(null);
  problem = $state('');
  told = $state.raw<Told | null>(null);
  waiting = $state(0);
  /** A panel or dialog lies over the page; what is told must be in it to be reached. */
  sheet = $state(false);
  filter = $state<Filter>('all');
  /** The seat that a move being planned would take. */
  target = $state.raw<(SeatAt & { player: number }) | null>(null);
  /** Server time at which this page saw the clock start. */
  runningSince = $state(0);

  panel = $derived(this.panels.at(-1) ?? null);
  /** The time, now and then: minutes are told, not seconds. */
  slow = $derived.by(() => Math.floor(this.socket.time.now / SLOW_MS) * SLOW_MS);
  floor: Floor | null = $derived.by(() => (this.view ? readFloor(this.view, this.slow, this.runningSince) : null));

  constructor(event: string) {
    this.event = event;
    this.socket = new EventSocket(event, { as: 'director', exists: () => eventApi.exists(event) });
  }

  get view(): EventView | null {
    return this.socket.view;
  }

  get offline(): boolean {
    return this.socket.status === 'lost';
  }

  player(id: number): Player | undefined {
    return this.view?.players[id];
  }

  table(number: number): Table | undefined {
    return this.view?.tables[number];
  }

  open(panel: Panel, replace = false): void {
    this.problem = '';
    this.target = null;
    this.panels = replace ? [...this.panels.slice(0, -1), panel] : [...this.panels, panel];
  }

  /** Opens a panel with nothing behind it. */
  show(panel: Panel): void {
    this.panels = [];
    this.open(panel);
  }

  back(): void {
    this.problem = '';
    this.target = null;
    this.panels = this.panels.slice(0, -1);
  }

  closePanels(): void {
    this.problem = '';
    this.target = null;
    this.panels = [];
  }

  /** For an effect of a dialog: while it is open, refusals are told there, and they go with it. */
  inDialog(): () => void {
    this.problem = '';
    this.sheet = true;
    return () => {
      this.problem = '';
      this.sheet = false;
    };
  }

  ask(question: Omit<Question, 'seq'>): void {
    this.problem = '';
    this.question = { ...question, seq: this.view?.seq ?? 0 };
  }

  async answer(): Promise<void> {
    const { question } = this;
    if (!question) return;
    const done = await this.do(question.command, { seq: question.seq });
    this.question = null;
    if (done) question.then?.();
  }

  /** Does a command and says so, with undo. Null when the server refused; `problem` says why. */
  async do(command: EventCommand, { seq, quiet = false }: { seq?: number; quiet?: boolean } = {}): Promise<Done | null> {
    this.problem = '';
    this.waiting += 1;
    const answer = await this.socket.do(command, seq === undefined ? {} : { seq });
    // The page goes on from what the command made of the event, not from before.
    if (answer.type === 'done') await this.seen((view) => view.seq >= answer.seq || undefined);
    this.waiting -= 1;
    if (answer.type === 'refused') {
      this.problem = sentences(answer.errors);
      return null;
    }
    if (!quiet) {
      const taken = command.do === 'undo' || command.do === 'redo' ? this.entry(command.action) : undefined;
      const words = taken ? `${command.do === 'undo' ? 'Undone' : 'Counts again'}: ${taken.words}` : answer.words || 'Done.';
      this.told = { words, action: answer.action, again: command.do === 'undo' };
    }
    return answer;
  }

  /** A level skipped hurts everybody: asked with prices, and with the tables that keep theirs. */
  askJump(to: number): void {
    if (!this.view) return;
    const { event: { structure }, clock } = this.view;
    const step = structure.steps[to];
    const name = step?.kind === 'break' ? 'the break' : stepName(structure, to).toLowerCase();
    const held = this.floor?.counts.fantasyland ?? 0;
    const text = [
      step?.kind === 'level' ? `The price goes from ${chips(clock.price)} to ${chips(step.price)} a point with each table’s next hand.` : `A break of ${step?.minutes} minutes begins now.`,
      ...(held > 0 ? [`${counted(held, 'table')} in Fantasyland ${held === 1 ? 'keeps' : 'keep'} price and button until that is done.`] : []),
    ];
    this.ask({ title: `Go to ${name} now?`, text, button: `Go to ${name}`, command: { do: 'jump', step: to } });
  }

  /** Takes back what the toast tells of, or makes it count again. */
  async takeBack(): Promise<void> {
    const { told } = this;
    if (!told || told.action === null) return;
    this.told = null;
    await this.do({ do: told.again ? 'redo' : 'undo', action: told.action });
  }

  entry(action: number): LogEntry | undefined {
    return this.view?.log.find(({ seq }) => seq === action);
  }

  /** Takes an entry of the log back; a hand only after it was said whose stacks change. */
  undo(entry: LogEntry, then?: () => void): void {
    const table = Object.values(this.view?.tables ?? {}).find(({ undo }) => undo === entry.seq);
    if (table) this.undoHand(table, then);
    else void this.do({ do: 'undo', action: entry.seq });
  }

  /** Enters a hand in the place of the one that is undone for it. Refused, it leaves that one as it was. */
  async correct(action: number, command: EventCommand): Promise<Done | null> {
    if (!(await this.do({ do: 'undo', action }, { quiet: true }))) return null;
    const done = await this.do(command);
    if (done) return done;
    const { problem } = this;
    await this.do({ do: 'redo', action }, { quiet: true });
    this.problem = problem;
    return null;
  }

  undoHand(table: Table, then?: () => void): void {
    const { last_hand: hand, undo: action } = table;
    if (!hand || action === null) return;
    const stacks = Object.entries(hand.before).map(([id, before]) => ({
      name: this.player(Number(id))?.name ?? '', before: hand.after[id] ?? 0, after: before,
    }));
    const out = hand.out.map(({ player }) => this.player(player)?.name ?? '');
    const text = [
      ...(out.length > 0 ? [`${out.join(' and ')} will be back in.`] : []),
      'Price and button go back to that hand. The table is told and enters the hand again.',
    ];
    this.ask({
      title: `Undo hand ${hand.hand} of table ${table.number}?`, stacks, text, button: `Undo hand ${hand.hand}`, icon: 'undo',
      command: { do: 'undo', action }, ...(then ? { then } : {}),
    });
  }

  /** Resolves once `found` finds something in the view; null after two seconds. */
  async seen<T>(found: (view: EventView) => T | undefined): Promise<T | null> {
    for (let waited = 0; waited < SEEN_MS; waited += LOOK_MS) {
      const one = this.view ? found(this.view) : undefined;
      if (one !== undefined) return one;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    return null;
  }

  close(): void {
    this.socket.close();
  }
}

const KEY = Symbol('director');

export const setDirector = (director: Director): Director => setContext(KEY, director);
export const getDirector = (): Director => getContext<Director>(KEY);
