import { newId } from '../../lib/ids';
import { stepAt, wentOn } from './ahead';
import { ServerTime } from './clock.svelte';
import { mergePatch } from './merge';
import {
  EVENT_PROTOCOL_VERSION,
  type As,
  type Done,
  type EventClientMessage,
  type EventCommand,
  type EventServerMessage,
  type EventView,
  type Fault,
  type LogEntry,
  type Previewed,
  type Refused,
} from './protocol';

export type EventStatus = 'connecting' | 'open' | 'lost' | 'gone' | 'refused';

const BACKOFF_MS = [400, 1000, 2000, 3000, 5000];
const PING_EVERY_MS = 15_000;
const ANSWER_WITHIN_MS = 8_000;
/** What the server reads of a director's page at most; docs/event-protocol.md. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Close code: a message was too large, whatever it was. */
const TOO_LARGE = 1009;

interface Waiting {
  message: EventClientMessage & { id: string };
  resolve: (answer: EventServerMessage | null) => void;
  /** Sent again after a lost connection; a question is not, it is answered by null. */
  kept: boolean;
}

interface Options {
  as: As;
  code?: string;
  /** Whether the event is still there; asked when the socket does not open. */
  exists?: () => Promise<boolean>;
}

/** Half a character, as cutting a text may leave it, is nothing that a server can read and answer. */
const written = (message: EventClientMessage): string => JSON.stringify(message).replace(/\\ud[89a-f][0-9a-f]{2}/g, '\\ufffd');
const sizeOf = (message: EventClientMessage): number => new TextEncoder().encode(written(message)).length;

/**
 * The socket of one event, kept alive, with the view it has built from `state` and `patch`.
 *
 * A command is sent again under its own id until it is answered; the server does it once.
 */
export class EventSocket {
  status = $state<EventStatus>('connecting');
  /** Why the server did not let us in. */
  faults = $state.raw<Fault[]>([]);
  /** Device time at which the connection was lost; null while there is one. */
  lostAt = $state<number | null>(null);
  /** Device time of the last message. */
  heardAt = $state(0);
  readonly time = new ServerTime();
  /** The view as the server told it last. */
  #told = $state.raw<EventView | null>(null);
  #step = $derived(this.#told && stepAt(this.#told, this.time.now));
  /** The view now: the clock goes on by itself, and with it what follows from it. */
  view = $derived<EventView | null>(
    this.#told && this.#step !== null && this.#step > this.#told.clock.step ? wentOn(this.#told, this.#step) : this.#told,
  );

  #event: string;
  #options: Options;
  #socket: WebSocket | null = null;
  #waiting = new Map<string, Waiting>();
  #greeted = false;
  #attempts = 0;
  #closed = false;
  #pingAt = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #deadline: ReturnType<typeof setTimeout> | undefined;

  constructor(event: string, options: Options) {
    this.#event = event;
    this.#options = options;
    for (const kind of ['online', 'pageshow', 'focus']) addEventListener(kind, this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    addEventListener('offline', this.#cut);
    this.#open();
  }

  /** Does a command, now or as soon as there is a connection. The promise is kept when the server has answered. */
  do(command: EventCommand, { id = newId(), seq = this.view?.seq ?? 0 } = {}): Promise<Done | Refused> {
    return this.#ask({ type: 'do', id, seq, command }, true) as Promise<Done | Refused>;
  }

  /** What the command would do, were an action undone before it; null when there is no connection to ask over. */
  preview(command: EventCommand, without?: number): Promise<Previewed | Refused | null> {
    return this.#ask({ type: 'preview', id: newId(), command, ...(without === undefined ? {} : { without }) }, false) as Promise<Previewed | Refused | null>;
  }

  /** Log entries older than `before`; none when there is no connection. */
  async log(before: number): Promise<LogEntry[]> {
    const answer = await this.#ask({ type: 'log', id: newId(), before }, false);
    return answer?.type === 'log' ? answer.log : [];
  }

  /** The step that the clock stood at, at a time of this device since the last message. */
  stepThen(at: number): number {
    return this.#told ? stepAt(this.#told, at + this.time.offset) : 0;
  }

  retryNow(): void {
    if (this.status !== 'lost') return;
    clearTimeout(this.#retry);
    this.#open();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#stopTimers();
    this.time.close();
    for (const kind of ['online', 'pageshow', 'focus']) removeEventListener(kind, this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    removeEventListener('offline', this.#cut);
    this.#socket?.close();
  }

  #ask(message: EventClientMessage & { id: string }, kept: boolean): Promise<EventServerMessage | null> {
    return new Promise((resolve) => {
      if (!kept && !this.#greeted) return resolve(null);
      if (sizeOf(message) > MOST_BYTES) return resolve(this.#tooLarge(message.id));
      this.#waiting.set(message.id, { message, resolve, kept });
      if (this.#greeted) this.#send(message);
    });
  }

  #open(): void {
    if (this.#closed) return;
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/events/${encodeURIComponent(this.#event)}/socket`);
    this.#socket = socket;
    this.#greeted = false;
    this.#expectAnswer();
    const { as, code } = this.#options;
    socket.onopen = () => this.#send({ type: 'hello', version: EVENT_PROTOCOL_VERSION, as, ...(code ? { code } : {}) });
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#take(JSON.parse(String(event.data)) as EventServerMessage);
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return;
      if (code === TOO_LARGE) this.#dropLargest();
      this.#lose();
    };
  }

  #take(message: EventServerMessage): void {
    clearTimeout(this.#deadline);
    this.heardAt = Date.now();
    switch (message.type) {
      case 'state': {
        const { type: _, ...view } = message;
        this.time.learn(view.now);
        this.#told = view;
        this.#greet();
        break;
      }
      case 'patch': {
        const { type: _, ...patch } = message;
        this.time.learn(patch.now);
        if (this.#told) this.#told = mergePatch(this.#told, patch);
        break;
      }
      case 'pong':
        this.time.learn(message.now, (Date.now() - this.#pingAt) / 2);
        break;
      default:
        if (message.type === 'refused' && !this.#greeted) this.#turnedAway(message.errors);
        if (message.id !== null) {
          this.#waiting.get(message.id)?.resolve(message);
          this.#waiting.delete(message.id);
        }
    }
  }

  #greet(): void {
    if (this.#greeted) return;
    this.#greeted = true;
    this.#attempts = 0;
    this.status = 'open';
    this.lostAt = null;
    clearInterval(this.#pinging);
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY_MS);
    this.#ping();
    for (const { message } of [...this.#waiting.values()]) this.#send(message);
  }

  #turnedAway(faults: Fault[]): void {
    this.faults = faults;
    this.status = 'refused';
    this.#stopTimers();
    this.#socket?.close();
  }

  #ping(): void {
    this.#pingAt = Date.now();
    this.#send({ type: 'ping', id: newId() });
    this.#expectAnswer();
  }

  /** A link that does not answer is dead, whatever the browser believes. */
  #expectAnswer(left = Infinity): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => {
      const still = this.#socket?.bufferedAmount ?? 0;
      // A long list on a slow link: it is on its way as long as less and less of it is left.
      if (still > 0 && still < left) this.#expectAnswer(still);
      else this.#cut();
    }, ANSWER_WITHIN_MS);
  }

  /** Gives this link up; another is tried soon. */
  #cut = (): void => {
    const socket = this.#socket;
    if (!socket) return;
    this.#lose();
    socket.close();
  };

  #tooLarge(id: string): Refused {
    const message = `This is too much at once: a list is at most ${MOST_BYTES / 1024 / 1024} MB. Add the players in parts.`;
    const fault = { code: 'message-too-large', message, field: null, text: null };
    return { type: 'refused', id, seq: this.view?.seq ?? 0, errors: [fault] };
  }

  /** The server closed the socket for a message's length: the longest is not sent again. */
  #dropLargest(): void {
    const [largest] = [...this.#waiting.values()].sort((a, b) => sizeOf(b.message) - sizeOf(a.message));
    if (!largest) return;
    this.#waiting.delete(largest.message.id);
    largest.resolve(this.#tooLarge(largest.message.id));
  }

  #send(message: EventClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(written(message));
  }

  #lose(): void {
    this.#stopTimers();
    this.#socket = null;
    this.#greeted = false;
    for (const [id, { kept, resolve }] of [...this.#waiting]) {
      if (kept) continue;
      this.#waiting.delete(id);
      resolve(null);
    }
    if (this.#closed || this.status === 'gone' || this.status === 'refused') return;
    const wait = BACKOFF_MS[Math.min(this.#attempts, BACKOFF_MS.length - 1)] ?? 0;
    this.#attempts += 1;
    this.status = 'lost';
    this.lostAt ??= Date.now();
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), wait);
    if (this.view === null) void this.#check();
  }

  /** An event that is not there need not be tried again. */
  async #check(): Promise<void> {
    const there = await (this.#options.exists?.() ?? Promise.resolve(true));
    if (there || this.#closed || this.#greeted) return;
    clearTimeout(this.#retry);
    this.status = 'gone';
  }

  #stopTimers(): void {
    clearInterval(this.#pinging);
    clearTimeout(this.#deadline);
  }

  #wake = (): void => {
    if (document.visibilityState === 'hidden') return;
    if (this.status === 'lost') this.retryNow();
    else if (this.#greeted && Date.now() - this.#pingAt > 1000) this.#ping();
  };
}
