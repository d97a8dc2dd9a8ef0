import { newId } from '../../lib/ids';
import { pricedAfter } from './ahead';
import { ApiError, eventApi } from './api';
import { dropWaiting, keepWaiting, loadWaiting, type Waiting } from './outbox';
import { afterwards, predictHand } from './predict';
import { EventSocket } from './socket.svelte';
import type { ByPlayer, Done, EventView, Fault, HandResult, Player, Previewed, Refused, Table, TableCommand } from './protocol';

const OFFLINE_AFTER_MS = 5_000;
const RETRY_MS = 3_000;

export type Answer = Done | Refused | 'kept';

/** An entry that waits for a person: the table is no longer what it was when this was entered. */
export interface Conflict {
  item: Waiting;
  kind: 'entered' | 'changed' | 'refused';
  faults: Fault[];
  /** What it would come to now. */
  now: HandResult | null;
}

/** What a person says to a conflict: send it as things are now, let it go, or take back what another phone entered first. */
export type Choice = 'send' | 'drop' | 'replace';

/** What is sent for an entry: a hand that this phone kept says the price that it was played at. */
function sentFor({ command, offline, basis }: Waiting): TableCommand {
  return offline && (command.do === 'enter-points' || command.do === 'enter-boards') ? { ...command, price: basis.price } : command;
}

export const handOf = (command: TableCommand): number | null => ('hand' in command ? command.hand : null);

/** One table of an event, as its phone has it: the server's view, and what has not been sent yet. */
export class TableStore {
  status = $state<'opening' | 'ready' | 'unknown' | 'unreachable'>('opening');
  socket = $state.raw<EventSocket | null>(null);
  number = $state(0);
  waiting = $state.raw<Waiting[]>([]);
  conflict = $state.raw<Conflict | null>(null);
  /** How many entries made offline went out just now. */
  sent = $state(0);
  event = $state('');

  readonly code: string;
  #flushing = false;
  #sentLate = 0;
  #resolvers = new Map<string, (answer: Answer) => void>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  view = $derived<EventView | null>(this.socket?.view ?? null);
  /** The table as the server has it. */
  real = $derived<Table | null>(this.view?.tables[this.number] ?? null);
  /** The table and players with what is not yet sent. */
  shown = $derived.by<{ table: Table; players: ByPlayer<Player> } | null>(() => {
    if (!this.real || !this.view || !this.socket) return null;
    let state = { table: this.real, players: this.view.players };
    let begun: number | null = null;
    for (const item of this.waiting) {
      const hand = handOf(item.command);
      if (hand !== null && hand !== state.table.hand) continue;
      state = afterwards(state.table, state.players, item.command, item.predicted);
      if (item.predicted) begun = item.at;
    }
    if (begun === null) return state;
    const { clock, event } = this.view;
    return { ...state, table: pricedAfter(state.table, event.structure.steps, this.socket.stepThen(begun), clock.step) };
  });
  unsent = $derived(this.waiting.filter((item) => item.offline && handOf(item.command) !== null).length);
  /** The newest entry, if the server cannot have heard of it. */
  newest = $derived.by<Waiting | null>(() => {
    const item = this.waiting.at(-1);
    return item?.offline && item.sentAs === null && item.id !== this.conflict?.item.id ? item : null;
  });
  offline = $derived.by(() => {
    const socket = this.socket;
    if (!socket) return this.status === 'unreachable';
    return socket.lostAt !== null && socket.time.now - socket.time.offset - socket.lostAt > OFFLINE_AFTER_MS;
  });

  constructor(code: string) {
    this.code = code;
    void this.#open();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.socket?.close();
  }

  preview(command: TableCommand): Promise<Previewed | Refused | null> {
    return this.socket?.preview(command) ?? Promise.resolve(null);
  }

  /** A hand as this phone alone would settle it. */
  predict(points: ByPlayer<number>, earned: ByPlayer<number>): HandResult | null {
    if (!this.shown || !this.view) return null;
    return predictHand(this.shown.table, this.shown.players, points, earned, this.view.event.players_left);
  }

  /** Does it, or keeps it until there is a connection. The promise waits for the server's answer, if there is a server. */
  async enter(command: TableCommand, predicted: HandResult | null): Promise<Answer> {
    const table = this.shown?.table;
    if (!table) return 'kept';
    const item: Waiting = {
      id: newId(), code: this.code, command, at: Date.now(), offline: this.socket?.status !== 'open', sentAs: null,
      basis: { hand: table.hand, price: predicted?.price ?? table.price, seats: table.seats }, predicted,
    };
    this.waiting = [...this.waiting, item];
    await keepWaiting(item);
    if (item.offline) return 'kept';
    return new Promise((resolve) => {
      this.#resolvers.set(item.id, resolve);
      void this.flush();
    });
  }

  /** Does what needs a connection and is never kept. */
  async ask(command: TableCommand): Promise<Done | Refused | null> {
    if (this.socket?.status !== 'open') return null;
    return this.socket.do(command);
  }

  /** Sends what waits, one after the other, each only when the table is still the one it was meant for. */
  async flush(): Promise<void> {
    if (this.#flushing || this.conflict || this.socket?.status !== 'open') return;
    this.#flushing = true;
    this.#sentLate = 0;
    try {
      for (let item = this.waiting[0]; item && this.socket.status === 'open'; item = this.waiting[0]) {
        if (!(await this.#sendOne(item))) break;
      }
    } finally {
      this.#flushing = false;
    }
    if (this.#sentLate > 0) this.sent = this.#sentLate;
  }

  /** The connection is gone: what was on its way is kept, and nobody need wait for it here. */
  lost(): void {
    this.waiting = this.waiting.map((item) => ({ ...item, offline: true }));
    for (const item of this.waiting) {
      void keepWaiting(item);
      this.#answer(item.id, 'kept');
    }
  }

  /** Does to the entry in conflict what a person said, and to no other; then the rest goes out. */
  async resolve(choice: Choice): Promise<void> {
    const conflict = this.conflict;
    if (!conflict || this.#flushing) return;
    this.conflict = null;
    this.#flushing = true; // what was entered after it waits
    try {
      if (choice === 'replace') await this.#replace(conflict);
      else if (choice === 'send' && this.real) await this.#again(conflict.item, this.real.price, conflict.now);
      else await this.#remove(conflict.item);
    } finally {
      this.#flushing = false;
    }
    void this.flush();
  }

  /** Takes back the hand that another phone entered, if it is still there, and puts ours in its place. */
  async #replace(conflict: Conflict): Promise<void> {
    const { item } = conflict;
    const hand = handOf(item.command);
    const theirs = this.real;
    if (theirs && theirs.undo !== null && theirs.last_hand?.hand === hand) {
      const answer = await this.socket?.do({ do: 'undo', action: theirs.undo });
      if (answer) await this.#seen(answer.seq);
      if (answer?.type === 'refused') {
        this.conflict = { ...conflict, faults: answer.errors };
        return;
      }
    }
    const preview = await this.socket?.preview(sentFor(item));
    const now = preview?.type === 'previewed' ? preview.hand : null;
    await this.#again(item, item.offline ? item.basis.price : (this.real?.price ?? item.basis.price), now ?? item.predicted);
  }

  /** Lets an entry go out as a new one, for the table as it is now. */
  async #again(item: Waiting, price: number, predicted: HandResult | null): Promise<void> {
    const basis = this.real ? { hand: this.real.hand, price, seats: this.real.seats } : item.basis;
    const again: Waiting = { ...item, id: newId(), sentAs: null, basis, predicted };
    this.waiting = this.waiting.map((one) => (one.id === item.id ? again : one));
    await keepWaiting(again);
    await dropWaiting(item.id);
  }

  /** Takes the newest entry off this phone again, before it was sent; null where there is none. */
  async takeBack(): Promise<TableCommand | null> {
    const item = this.newest;
    if (!item) return null;
    await this.#remove(item);
    return item.command;
  }

  async #open(): Promise<void> {
    if (this.waiting.length === 0) this.waiting = (await loadWaiting(this.code)).map((item) => ({ ...item, offline: true }));
    try {
      const { event, table } = await eventApi.tableCode(this.code);
      if (this.#closed) return;
      this.event = event;
      this.number = table;
      this.socket = new EventSocket(event, { as: 'table', code: this.code });
      this.status = 'ready';
    } catch (error) {
      if (this.#closed) return;
      const unknown = error instanceof ApiError && error.status === 404;
      this.status = unknown ? 'unknown' : 'unreachable';
      if (!unknown) this.#timer = setTimeout(() => void this.#open(), RETRY_MS);
    }
  }

  /** True when it is done and gone. */
  async #sendOne(item: Waiting): Promise<boolean> {
    const socket = this.socket;
    const table = this.real;
    if (!socket || !table) return false;
    if (item.sentAs === null && !this.#stillMeant(item, table)) {
      await this.#ask(item, table, []);
      return false;
    }
    const sending: Waiting = { ...item, sentAs: item.sentAs ?? socket.view?.seq ?? 0 };
    this.waiting = this.waiting.map((one) => (one.id === item.id ? sending : one));
    await keepWaiting(sending);
    const answer = await socket.do(sentFor(item), { id: item.id, seq: sending.sentAs ?? 0 });
    if (answer.type === 'done') {
      await this.#seen(answer.seq);
      if (this.#isLate(item.id) && handOf(item.command) !== null) this.#sentLate += 1;
      await this.#remove(sending, answer);
      return true;
    }
    await this.#seen(answer.seq);
    const late = answer.errors.some((fault) => fault.code === 'hand-entered' || fault.code === 'stale');
    if (late || this.#isLate(item.id)) {
      await this.#ask(sending, this.real ?? table, answer.errors);
      return false;
    }
    await this.#remove(sending, answer);
    return true;
  }

  /** Whether it was kept on this phone for a while. */
  #isLate(id: string): boolean {
    return this.waiting.find((item) => item.id === id)?.offline ?? false;
  }

  #stillMeant({ basis, command }: Waiting, table: Table): boolean {
    return basis.seats.join() === table.seats.join() && (handOf(command) ?? basis.hand) === table.hand;
  }

  async #ask(item: Waiting, table: Table, faults: Fault[]): Promise<void> {
    const hand = handOf(item.command);
    const entered = hand !== null && (hand < table.hand || faults.some((fault) => fault.code === 'hand-entered'));
    const preview = entered ? null : await this.socket?.preview(item.command);
    const now = preview?.type === 'previewed' ? preview.hand : null;
    const found = preview?.type === 'previewed' ? preview.faults : preview?.type === 'refused' ? preview.errors : [];
    const kind = entered ? 'entered' : now && found.length === 0 ? 'changed' : 'refused';
    this.conflict = { item, kind, faults: found.length > 0 ? found : faults, now };
    this.#answer(item.id, 'kept');
  }

  /** Waits until the view has caught up with what was done. */
  async #seen(seq: number): Promise<void> {
    for (let tries = 0; tries < 40 && (this.socket?.view?.seq ?? 0) < seq; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  async #remove(item: Waiting, answer: Answer = 'kept'): Promise<void> {
    this.waiting = this.waiting.filter((one) => one.id !== item.id);
    await dropWaiting(item.id);
    this.#answer(item.id, answer);
  }

  #answer(id: string, answer: Answer): void {
    this.#resolvers.get(id)?.(answer);
    this.#resolvers.delete(id);
  }
}
