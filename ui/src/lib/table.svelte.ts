import { announceChange, announcer } from './announcer.svelte';
import { Arrangement, type Place } from './arrangement.svelte';
import { sameCards, sortCards, type SortOrder } from './cards';
import { Connection } from './connection.svelte';
import { newId } from './ids';
import type { Card, Command, Fault, Outlook, Row, SeatView, ServerMessage, View } from './protocol';
import { settings } from './settings.svelte';
import { play } from './sound';
import { isYourTurn } from './words';

const MOST_RETRIES = 20;

/** One table as this browser plays it: the server's view, the unconfirmed arrangement, and what it is worth. */
export class TableStore {
  view = $state.raw<View | null>(null);
  faults = $state.raw<Fault[]>([]);
  /** The command that waits for its answer. */
  sending = $state.raw<Command | null>(null);
  /** The confirmation waits for the server's word on whether it fouls. */
  confirming = $state(false);
  askFoul = $state(false);
  arrangement = new Arrangement();
  connection: Connection;

  #seq = 0;
  #outlook = $state.raw<Outlook | null>(null);
  #outlookKey = $state('');
  #asked = { id: '', key: '' };
  #doneSeq: number | null = null;
  #again: Command | null = null;
  #retries = 0;
  #traySort = $state<SortOrder>('dealt');

  own = $derived<SeatView | null>(this.view && this.view.you !== null ? (this.view.seats[this.view.you] ?? null) : null);
  /** Opponents clockwise: the seat on the left comes first. */
  foes = $derived.by<SeatView[]>(() => {
    const view = this.view;
    if (!view) return [];
    const from = view.you === null ? 0 : view.you + 1;
    const around = view.seats.map((_, step) => view.seats[(from + step) % view.seats.length]);
    return around.filter((seat): seat is SeatView => seat !== undefined && seat.seat !== view.you);
  });
  yourTurn = $derived(this.view !== null && isYourTurn(this.view));
  inFantasyland = $derived((this.own?.fantasyland ?? 0) > 0);
  sort = $derived<SortOrder>(this.inFantasyland ? settings.sort : this.#traySort);
  tray = $derived(sortCards(this.arrangement.cards, this.sort));
  busy = $derived(this.sending !== null || this.confirming);
  /** May cards be moved about now? */
  arranging = $derived(this.arrangement.cards.length > 0 && this.view?.phase === 'placing' && !this.busy);
  /** A Fantasyland is one street, however far the others are. */
  #street = $derived(`${this.view?.hand}/${this.inFantasyland ? 0 : this.view?.street}`);
  #key = $derived(`${this.#street}/${JSON.stringify([this.arrangement.cards, this.arrangement.placements, this.arrangement.chosen])}`);
  outlook = $derived<Outlook | null>(this.#outlook ?? this.view?.outlook ?? null);
  outlookIsCurrent = $derived(this.#outlookKey === this.#key);

  constructor(table: string) {
    this.connection = new Connection(table, (message, command) => this.#receive(message, command));
    $effect(() => this.#askOutlook());
  }

  close(): void {
    this.connection.close();
  }

  choose(card: Card): void {
    if (!this.arranging) return;
    this.arrangement.choose(card, { several: this.inFantasyland });
  }

  /** Puts the chosen cards into a row or to the discards. */
  put(to: Place, cards: Card[] = this.arrangement.chosen): boolean {
    if (!this.arranging || !this.arrangement.put(cards, to)) return false;
    this.askFoul = false;
    play('place');
    return true;
  }

  /** A tap on an unconfirmed card: the chosen card goes there, or this one comes back. */
  tapPlaced(card: Card, row: Row): void {
    if (!this.arranging) return;
    const { chosen } = this.arrangement;
    const [only] = chosen;
    if (chosen.length > 0 && this.put(row)) return;
    this.askFoul = false;
    if (chosen.length === 1 && only !== undefined) this.arrangement.swap(only, card);
    else this.arrangement.takeBack(card);
  }

  takeBack(card: Card): void {
    if (!this.arranging) return;
    this.askFoul = false;
    this.arrangement.takeBack(card);
  }

  undo(): void {
    if (!this.arranging || !this.arrangement.touched) return;
    this.askFoul = false;
    this.arrangement.undo();
  }

  clear(): void {
    if (!this.arranging) return;
    this.askFoul = false;
    this.arrangement.clear();
  }

  toggleSort(): void {
    const order = this.sort === 'rank' ? 'suit' : 'rank';
    if (this.inFantasyland) settings.setSort(order);
    else this.#traySort = order;
  }

  /** Confirms; a certain foul is asked about once. */
  confirm(): void {
    if (!this.yourTurn || this.busy || !this.arrangement.complete) return;
    this.arrangement.letGo();
    this.confirming = true;
    this.#settleConfirmation();
  }

  next(): void {
    this.#command({ type: 'next', id: newId(), seq: this.#seq });
  }

  endMatch(): void {
    this.#command({ type: 'end', id: newId(), seq: this.#seq });
  }

  rematch(): void {
    this.#command({ type: 'rematch', id: newId(), seq: this.#seq });
  }

  #settleConfirmation(): void {
    if (!this.confirming || !this.outlookIsCurrent) return;
    this.confirming = false;
    if (this.#outlook?.fouled && !this.askFoul) {
      this.askFoul = true;
      announcer.say(this.#outlook.message ?? 'This hand fouls. Confirm anyway?');
      return;
    }
    const { placements, discards } = this.arrangement;
    this.#command({ type: 'place', id: newId(), seq: this.#seq, placements, discards });
  }

  #command(command: Command): void {
    if (this.sending) return;
    this.faults = [];
    this.sending = command;
    this.#doneSeq = null;
    this.#retries = 0;
    this.connection.command(command);
  }

  #askOutlook(): void {
    const key = this.#key;
    const { placements, chosen, cards } = this.arrangement;
    if (!this.view || cards.length === 0 || this.connection.status !== 'open') return;
    // One question at a time: the answer asks the next, if the cards have moved on by then.
    if (key === this.#outlookKey || this.#asked.id !== '') return;
    if (placements.length === 0 && chosen.length === 0 && this.view.outlook) {
      this.#takeOutlook(this.view.outlook, key);
      return;
    }
    const id = newId();
    if (this.connection.ask({ type: 'arrange', id, placements, chosen })) this.#asked = { id, key };
  }

  #takeOutlook(outlook: Outlook, key: string): void {
    this.#outlook = outlook;
    this.#outlookKey = key;
    this.#settleConfirmation();
  }

  #answer(outlook: Outlook): void {
    const { key } = this.#asked;
    this.#asked = { id: '', key: '' };
    if (key === this.#key) this.#takeOutlook(outlook, key);
    else this.#askOutlook();
  }

  #receive(message: ServerMessage, command: Command | null): void {
    if (message.type === 'view') this.#takeView(message.seq, message.view);
    else if (message.type === 'outlook') {
      if (message.id === this.#asked.id) this.#answer(message.outlook);
    } else if (message.type === 'done') {
      if (this.#seq >= message.seq) this.sending = null;
      else this.#doneSeq = message.seq;
    } else if (message.type === 'refused') {
      if (message.id !== null && message.id === this.#asked.id) this.#dropQuestion();
      else this.#takeRefusal(command, message.errors);
    }
  }

  /** A question about an arrangement that is no longer possible: the next view settles it. */
  #dropQuestion(): void {
    this.#asked = { id: '', key: '' };
    this.confirming = false;
  }

  #takeRefusal(command: Command | null, errors: Fault[]): void {
    if (command && errors.some((fault) => fault.code === 'stale') && this.#retries < MOST_RETRIES) {
      this.#again = command;
      return;
    }
    if (command) this.sending = null;
    else this.confirming = false;
    this.faults = errors;
    announcer.say(...errors.map((fault) => fault.message));
  }

  #takeView(seq: number, view: View): void {
    const before = this.view;
    const street = this.#street;
    this.#seq = seq;
    this.view = view;
    this.arrangement.sync(view);
    // What was asked before this view may never be answered, and its answer may be of another board.
    this.#asked = { id: '', key: '' };
    if (view.cards.length === 0 || street !== this.#street) {
      this.#outlook = null;
      this.#outlookKey = '';
      this.askFoul = false;
    }
    if (!this.arrangement.complete) this.confirming = false;
    if (this.#doneSeq !== null && seq >= this.#doneSeq) {
      this.sending = null;
      this.#doneSeq = null;
    }
    if (this.#again) this.#repeat(this.#again, before);
    announceChange(before, view);
    this.#sound(before, view);
  }

  /** A command that came late is sent again, if the new view leaves it exactly as it was meant. */
  #repeat(command: Command, before: View | null): void {
    this.#again = null;
    this.sending = null;
    const view = this.view;
    if (!view || !before) return;
    const placed = command.type === 'place' ? [...command.placements.map((p) => p.card), ...command.discards] : [];
    const still =
      (command.type === 'place' && isYourTurn(view) && view.hand === before.hand && sameCards(placed, view.cards)) ||
      (command.type === 'next' && view.phase === 'showdown' && view.hand === before.hand) ||
      (command.type === 'end' && view.phase !== 'over') ||
      (command.type === 'rematch' && view.phase === 'over');
    if (!still) return;
    const again = { ...command, id: newId(), seq: this.#seq };
    const retries = this.#retries + 1;
    this.#command(again);
    this.#retries = retries;
  }

  #sound(before: View | null, view: View): void {
    if (!before) return;
    const own = view.you === null ? undefined : view.seats[view.you];
    if (view.phase !== 'placing') {
      const mine = before.phase === 'placing' ? view.result?.players.find((player) => player.seat === view.you) : undefined;
      if (mine?.fantasyland_next) play('fantasyland');
      else if (mine && mine.points !== 0) play(mine.points > 0 ? 'won' : 'lost');
    } else if (isYourTurn(view) && !sameCards(before.cards, view.cards)) {
      play(own?.fantasyland ? 'fantasyland' : 'turn');
    } else if (view.hand !== before.hand) play('deal');
    else if (view.log.length > before.log.length) play('place');
  }
}
