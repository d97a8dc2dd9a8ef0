/** The messages of docs/protocol.md, version 1. Nothing here knows a rule of the game. */

export const PROTOCOL_VERSION = 1;

/** Two characters: rank and suit, `Kh`. */
export type Card = string;
export type Row = 'top' | 'middle' | 'bottom';
export const ROWS: readonly Row[] = ['top', 'middle', 'bottom'];
export const ROW_SIZE: Readonly<Record<Row, number>> = { top: 3, middle: 5, bottom: 5 };

export type ByRow<T> = Record<Row, T>;
export type Unit = 'points' | 'chips';
export type Phase = 'placing' | 'showdown' | 'over';

export interface Placement {
  card: Card;
  row: Row;
}

export interface RulesSummary {
  id: string;
  version: string;
  title: string;
  summary: string;
  seats: number[];
}

export interface BotSummary {
  id: string;
  title: string;
  summary: string;
}

export interface RulesName {
  id: string;
  version: string;
  title: string;
}

export interface TableSummary {
  table: string;
  rules: RulesName;
  seats: string[];
  hands: number;
  hand: number;
  phase: Phase;
  your_turn: boolean;
  standing: number[];
  unit: Unit;
  started_at: number;
}

export interface HandSummary {
  hand: number;
  at: number;
  points: number[];
  chips: number[] | null;
  fouled: boolean[];
  fantasyland: number[];
  you: number | null;
}

export interface Money {
  stack: number;
  price: number;
}

export interface NewTable {
  rules: string;
  name: string;
  bots: string[];
  hands: number;
  money: Money | null;
}

export interface Fault {
  code: string;
  message: string;
  field: string | null;
  text: string | null;
}

export interface RowNow {
  hand: string;
  royalty: number;
}

export type SeatState = 'acting' | 'waiting' | 'set' | 'out';

export interface SeatView {
  seat: number;
  name: string;
  bot: string | null;
  standing: number;
  history: number[];
  /** Cards held in Fantasyland this hand; 0 in a regular hand. */
  fantasyland: number;
  fantasyland_next: number;
  state: SeatState;
  away: boolean;
  board: ByRow<Card[]> | null;
  rows: ByRow<RowNow> | null;
  placed: number;
  discarded: number;
  discards: Card[] | null;
  out_of_order: boolean;
}

export type RowStatus = 'fine' | 'at-risk' | 'foul';

export interface RowOutlook extends RowNow {
  status: RowStatus;
  note: string | null;
}

export interface ChosenOutlook extends RowNow {
  fits: boolean;
  fouls: boolean;
  message: string | null;
}

export interface Outlook {
  rows: ByRow<RowOutlook>;
  chosen: ByRow<ChosenOutlook> | null;
  left: number;
  complete: boolean;
  discards: Card[];
  fouled: boolean;
  fantasyland: number;
  message: string | null;
  errors: Fault[];
}

export interface LogEntry {
  street: number;
  seat: number;
  placements: Placement[];
  hidden: boolean;
  forced: boolean;
}

export interface PlayerResult {
  seat: number;
  fouled: boolean;
  hands: ByRow<string>;
  royalties: ByRow<number> & { total: number };
  points: number;
  chips: number | null;
  stack: number | null;
  fantasyland_next: number;
}

export interface PairResult {
  a: number;
  b: number;
  rows: ByRow<number>;
  scoop: number;
  royalties: number;
  points: number;
  chips: number | null;
  capped_by: 'winner' | 'loser' | null;
}

export interface MatchResult {
  places: number[];
  hands: number;
  reason: 'hands' | 'ended' | 'chips';
}

export interface Result {
  players: PlayerResult[];
  pairs: PairResult[];
  button_next: number | null;
}

export interface View {
  table: string;
  rules: RulesName;
  seeded: boolean;
  you: number | null;
  phase: Phase;
  hand: number;
  hands: number;
  street: number;
  streets: number;
  turn: number[];
  button: number;
  unit: Unit;
  price: number | null;
  price_next: number | null;
  seats: SeatView[];
  cards: Card[];
  to_place: number;
  outlook: Outlook | null;
  log: LogEntry[];
  result: Result | null;
  match: MatchResult | null;
}

/** Commands change the game; they carry an id and the seq they were decided on. */
export type Command =
  | { type: 'place'; id: string; seq: number; placements: Placement[]; discards: Card[] }
  | { type: 'next'; id: string; seq: number }
  | { type: 'end'; id: string; seq: number }
  | { type: 'rematch'; id: string; seq: number };

export type ClientMessage =
  | { type: 'hello'; version: number }
  | { type: 'arrange'; id: string; placements: Placement[]; chosen: Card[] }
  | { type: 'ping'; id: string }
  | Command;

export type ServerMessage =
  | { type: 'view'; seq: number; view: View }
  | { type: 'done'; id: string; seq: number }
  | { type: 'outlook'; id: string; outlook: Outlook }
  | { type: 'refused'; id: string | null; seq: number; errors: Fault[] }
  | { type: 'pong'; id: string };
