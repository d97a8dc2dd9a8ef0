import { api, ApiError } from './api';
import { newId } from './ids';
import { PROTOCOL_VERSION, type ClientMessage, type Command, type ServerMessage } from './protocol';

export type ConnectionStatus = 'connecting' | 'open' | 'lost' | 'gone';

const BACKOFF_MS = [400, 1000, 2000, 3000, 5000, 8000];
const PING_EVERY_MS = 20_000;
const ANSWER_WITHIN_MS = 8_000;

/**
 * The socket to one table, kept alive.
 *
 * A command stays in the outbox until the server answers it; after a lost connection it is sent again under
 * the same id, which the server does only once.
 */
export class Connection {
  status = $state<ConnectionStatus>('connecting');
  /** When the next attempt is due, while lost. */
  retryAt = $state(0);

  #table: string;
  #receive: (message: ServerMessage, command: Command | null) => void;
  #socket: WebSocket | null = null;
  #outbox = new Map<string, Command>();
  #greeted = false;
  #attempts = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #pinging: ReturnType<typeof setInterval> | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #closed = false;

  constructor(table: string, receive: (message: ServerMessage, command: Command | null) => void) {
    this.#table = table;
    this.#receive = receive;
    addEventListener('online', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#open();
  }

  /** Sends a command now, or as soon as there is a connection. */
  command(command: Command): void {
    this.#outbox.set(command.id, command);
    if (this.#greeted) this.#send(command);
  }

  /** Sends a question; false when there is no connection to ask over. */
  ask(message: ClientMessage): boolean {
    if (!this.#greeted) return false;
    this.#send(message);
    return true;
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
    removeEventListener('online', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    this.#socket?.close();
  }

  #open(): void {
    if (this.status !== 'lost') this.status = 'connecting';
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${encodeURIComponent(this.#table)}/socket`);
    this.#socket = socket;
    this.#greeted = false;
    this.#expectAnswer();
    socket.onopen = () => this.#send({ type: 'hello', version: PROTOCOL_VERSION });
    socket.onmessage = (event) => {
      if (socket === this.#socket) this.#take(String(event.data));
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lose();
    };
  }

  #take(data: string): void {
    const message = JSON.parse(data) as ServerMessage;
    clearTimeout(this.#waiting);
    if (message.type === 'pong') return;
    let command: Command | null = null;
    if ((message.type === 'done' || message.type === 'refused') && message.id !== null) {
      command = this.#outbox.get(message.id) ?? null;
      this.#outbox.delete(message.id);
    }
    const first = message.type === 'view' && !this.#greeted;
    if (first) this.#greet();
    this.#receive(message, command);
    if (first) for (const unanswered of [...this.#outbox.values()]) this.#send(unanswered);
  }

  #greet(): void {
    this.#greeted = true;
    this.#attempts = 0;
    this.status = 'open';
    clearInterval(this.#pinging);
    this.#pinging = setInterval(() => this.#ping(), PING_EVERY_MS);
  }

  #ping(): void {
    this.#send({ type: 'ping', id: newId() });
    this.#expectAnswer();
  }

  /** A link that does not answer is dead, whatever the browser believes. */
  #expectAnswer(): void {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => {
      const socket = this.#socket;
      this.#lose();
      socket?.close();
    }, ANSWER_WITHIN_MS);
  }

  #send(message: ClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #lose(): void {
    this.#stopTimers();
    this.#socket = null;
    this.#greeted = false;
    if (this.#closed || this.status === 'gone') return;
    const wait = BACKOFF_MS[Math.min(this.#attempts, BACKOFF_MS.length - 1)] ?? 0;
    this.#attempts += 1;
    this.status = 'lost';
    this.retryAt = Date.now() + wait;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), wait);
    void this.#check();
  }

  /** A table that is not there need not be tried again. */
  async #check(): Promise<void> {
    try {
      await api.table(this.#table);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404 || this.#closed) return;
      clearTimeout(this.#retry);
      this.status = 'gone';
    }
  }

  #stopTimers(): void {
    clearInterval(this.#pinging);
    clearTimeout(this.#waiting);
  }

  #wake = (): void => {
    if (document.visibilityState === 'hidden') return;
    if (this.status === 'lost') this.retryNow();
    else if (this.#greeted) this.#ping();
  };
}
