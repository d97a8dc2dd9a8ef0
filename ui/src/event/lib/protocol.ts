/** The messages of docs/event-protocol.md, version 1. */
import type { Card, Fault, Row } from '../../lib/protocol';

export type { Card, Fault, Row };

export const EVENT_PROTOCOL_VERSION = 1;

export type As = 'director' | 'table' | 'viewer';
export type Stage = 'setup' | 'running' | 'bagged' | 'finished';

/** Keyed by player id; JSON makes the ids strings. */
export type ByPlayer<T> = Record<string, T>;

export type Step =
  | { kind: 'level'; price: number; minutes: number | null; hands: number | null }
  | { kind: 'break'; minutes: number };

export interface Structure {
  starting_stack: number;
  steps: Step[];
  late_until: number;
  reentries: number;
}

export interface EntryCards {
  queens: number;
  kings: number;
  aces: number;
  trips: number;
}

export interface EventRules {
  id: string;
  version: string;
  title: string;
  fantasyland: EntryCards;
  can_stay: boolean;
  /** The fields of rules of one's own; null for built-in ones. */
  own: Record<string, unknown> | null;
}

/** As the command `prizes` takes them: one of the last four says who gets what. */
export interface PrizeTerms {
  fee: number;
  house_fee: number;
  added: number;
  guaranteed: number;
  unit: number;
  remainder_to: number;
  percents: number[] | null;
  amounts: number[] | null;
  template: string | null;
  places: number | null;
}

export interface Prizes {
  pool: number;
  /** From the first place on; before the draw, as if it were made now. */
  places: number[];
  /** Why there are no places. */
  problem: string | null;
  /** Which of the places get nothing, and why. */
  remark: string | null;
  terms: PrizeTerms;
}

/** Agreed on instead of prizes. */
export interface Deal {
  shares: ByPlayer<number>;
  /** Left for the winner. */
  held_back: number;
}

export interface EventInfo {
  id: string;
  name: string;
  stage: Stage;
  seats: number;
  absent_points: number;
  rules: EventRules;
  structure: Structure;
  levels: number;
  entries: number;
  players_left: number;
  chips: number;
  average: number;
  entry_open: boolean;
  hand_for_hand: boolean;
  /** Tables that others wait for, hand for hand or at a level counted in hands. */
  behind: number[];
  prizes: Prizes | null;
  deal: Deal | null;
}

export interface Clock {
  running: boolean;
  step: number;
  level: number;
  is_break: boolean;
  price: number;
  price_next: number | null;
  left_ms: number | null;
  /** Null: stands, or the step has no end in time. */
  ends_at: number | null;
  next_break_at: number | null;
  next_break_ms?: number | null;
}

export interface Out {
  place: number;
  shared: number;
  table: number;
  hand: number;
}

export interface Player {
  id: number;
  name: string;
  club: string;
  paid: boolean;
  table: number | null;
  seat: number | null;
  stack: number;
  points: number;
  /** Cards held in the hand being played. */
  fantasyland: number;
  /** Cards earned in it for the next one. */
  declared: number;
  absent: boolean;
  entries: number;
  withdrawn: boolean;
  /** Sat down since the table's last hand: may be left out of the one being played. */
  is_new: boolean;
  out: Out | null;
  place: number | null;
  prize: number | null;
}

export interface Payment {
  loser: number;
  winner: number;
  points: number;
  chips: number;
  due: number;
  capped_by: 'winner' | 'loser' | null;
}

export interface HandResult {
  table: number;
  hand: number;
  price: number;
  source: string;
  points: ByPlayer<number>;
  /** That it was settled by; none where points were entered. */
  boards: ByPlayer<BoardRows>;
  payments: Payment[];
  before: ByPlayer<number>;
  after: ByPlayer<number>;
  fantasyland: ByPlayer<number>;
  out: { player: number; place: number }[];
  button_next: number;
  price_next: number;
  held_next: boolean;
  /** Settled from totals, and other pairs that make them would come to other stacks. */
  approximate: boolean;
}

/** Points that one player won from another, 0 or more. */
export interface PairPoints {
  winner: number;
  loser: number;
  points: number;
}

export interface Table {
  number: number;
  hand: number;
  button: number;
  seats: (number | null)[];
  /** Of the hand being played. */
  price: number;
  /** It keeps its price and button: Fantasyland. */
  held: boolean;
  /** Its Fantasyland may be ended by hand: none of its hands is being played. */
  can_end: boolean;
  price_clock: number;
  button_after: number;
  last_result_at: number | null;
  last_hand: HandResult | null;
  /** Its last action, if it can be undone. */
  undo: number | null;
  short: number[];
  code?: string;
}

export interface SeatAt {
  table: number;
  seat: number;
}

export interface Move {
  player: number;
  to: SeatAt;
  reason: string;
  waits_for: number | null;
}

export interface Proposed extends Move {
  name: string;
}

export interface News {
  seq: number;
  at: number;
  kind: 'move' | 'out' | 'fantasyland' | 'level';
  words: string;
}

export interface LogEntry {
  seq: number;
  at: number;
  by: string;
  words: string;
  table: number | null;
  undone: boolean;
  can_undo: boolean;
  can_redo: boolean;
  undoes: number | null;
}

export interface You {
  as: As;
  name: string;
  table: number | null;
}

/** Everything a page knows of an event. */
export interface EventView {
  seq: number;
  now: number;
  you: You;
  event: EventInfo;
  clock: Clock;
  players: ByPlayer<Player>;
  tables: Record<string, Table>;
  moves: Move[];
  proposed: Proposed[];
  news: News[];
  log: LogEntry[];
}

export interface EventPatch extends Partial<Omit<EventView, 'players' | 'tables'>> {
  seq: number;
  now: number;
  players?: ByPlayer<Partial<Player> | null>;
  tables?: Record<string, Partial<Table> | null>;
}

export interface BoardRows {
  top: string;
  middle: string;
  bottom: string;
}

export type HandCommand = Extract<TableCommand, { do: 'enter-points' | 'enter-boards' }>;

export type TableCommand =
  | { do: 'enter-points'; table: number; hand: number; points: ByPlayer<number>; fantasyland: ByPlayer<number>; price?: number; pairs?: PairPoints[] }
  | { do: 'enter-boards'; table: number; hand: number; boards: ByPlayer<BoardRows>; price?: number }
  | { do: 'fantasyland'; table: number; cards: ByPlayer<number> }
  | { do: 'fantasyland-done'; table: number }
  | { do: 'absent'; player: number; absent: boolean }
  | { do: 'undo'; action: number }
  | { do: 'redo'; action: number };

export type DirectorCommand =
  | { do: 'settings'; name: string; structure: Structure; absent_points: number }
  | { do: 'register'; players: { name: string; club?: string; paid?: boolean }[] }
  | { do: 'import-csv'; text: string }
  | { do: 'change-player'; player: number; name: string; club: string; paid: boolean }
  | { do: 'withdraw'; player: number }
  | { do: 'draw' }
  | { do: 'seat'; player: number }
  | { do: 'start-clock' }
  | { do: 'pause-clock' }
  | { do: 'jump'; step: number }
  | { do: 'adjust'; change_ms: number }
  | { do: 'plan-move'; player: number; to: SeatAt; reason: string }
  | { do: 'plan-moves' }
  | { do: 'cancel-move'; player: number }
  | { do: 'move-now'; player: number; to: SeatAt; reason: string }
  | { do: 'stack'; player: number; stack: number; reason: string }
  | { do: 'button'; table: number; button: number }
  | { do: 'prizes'; fee: number; house_fee: number; added: number; guaranteed: number; percents?: number[]; template?: string; unit: number }
  | { do: 'deal'; shares: ByPlayer<number>; held_back: number }
  | { do: 'hand-for-hand'; on: boolean }
  | { do: 'redraw' }
  | { do: 'remove'; player: number; reason: string }
  | { do: 'bag' }
  | { do: 'resume' }
  | { do: 'finish' };

export type EventCommand = TableCommand | DirectorCommand;

export type EventClientMessage =
  | { type: 'hello'; version: number; as: As; code?: string }
  | { type: 'do'; id: string; seq: number; command: EventCommand }
  | { type: 'preview'; id: string; command: EventCommand; without?: number }
  | { type: 'log'; id: string; before: number }
  | { type: 'ping'; id: string };

export interface Done {
  type: 'done';
  id: string;
  seq: number;
  words: string;
  action: number;
}

export interface Refused {
  type: 'refused';
  id: string | null;
  seq: number;
  errors: Fault[];
}

export interface Previewed {
  type: 'previewed';
  id: string;
  words: string;
  hand: HandResult | null;
  /** Of the command `prizes`: what it would set. */
  prizes: Prizes | null;
  faults: Fault[];
}

export type EventServerMessage =
  | ({ type: 'state' } & EventView)
  | ({ type: 'patch' } & EventPatch)
  | Done
  | Previewed
  | Refused
  | { type: 'log'; id: string; log: LogEntry[] }
  | { type: 'pong'; id: string; now: number };

// The points calculator.

export interface CalculatorPlayer extends BoardRows {
  name: string;
  fantasyland: number;
  stack: number | null;
}

export interface CalculatorRequest {
  rules: string | Record<string, unknown>;
  button: number | null;
  price: number | null;
  players: CalculatorPlayer[];
}

export interface CalculatedRow {
  hand: string;
  royalty: number;
  missing: number;
}

export interface ScoredPlayer {
  name: string;
  fouled: boolean;
  hands: Record<Row, string>;
  royalties: Record<Row, number> & { total: number };
  points: number;
  fantasyland_next: number;
  chips?: number;
  stack?: number;
}

export interface ScoredPair {
  a: string;
  b: string;
  rows: Record<Row, number>;
  scoop: number;
  royalties: number;
  points: number;
  chips: number | null;
  capped_by: 'winner' | 'loser' | null;
}

export interface Scored {
  rules: string;
  players: ScoredPlayer[];
  pairs: ScoredPair[];
}

export interface PairWords {
  a: string;
  b: string;
  lines: { part: string; why: string; points: number }[];
  payment: string | null;
}

/** A typed hand; null is what the text leaves out. */
export interface TypedHand {
  rules: string | null;
  price: number | null;
  button: number | null;
  players: { name: string | null; rows: Record<Row, Card[]>; fantasyland: number; stack: number | null }[];
}

export interface CalculatorAnswer {
  rules: string;
  players: { name: string; rows: Record<Row, CalculatedRow>; fouled: boolean; foul_words: string | null }[];
  missing: string[];
  used: Card[];
  result: Scored | null;
  words: PairWords[];
  next: { player: string; words: string }[];
}
