import { ROWS, type Card, type Row } from '../../lib/protocol';

export { ROWS, type Card, type Row };

/** As the keys show them: high to low, suit by suit. */
export const RANKS = ['A', 'K', 'Q', 'J', 'T', '9', '8', '7', '6', '5', '4', '3', '2'] as const;
export const SUITS = ['s', 'h', 'd', 'c'] as const;
export const ROW_SIZE: Record<Row, number> = { top: 3, middle: 5, bottom: 5 };
export const ROW_NAME: Record<Row, string> = { top: 'Top', middle: 'Middle', bottom: 'Bottom' };

const SUIT_OF: Record<string, string> = { s: 's', h: 'h', d: 'd', c: 'c', '♠': 's', '♥': 'h', '♦': 'd', '♣': 'c', '♤': 's', '♡': 'h', '♢': 'd', '♧': 'c' };
const RANK_OF: Record<string, string> = { '10': 'T', T: 'T', J: 'J', Q: 'Q', K: 'K', A: 'A' };

/** "q", "10", "T" to a rank, null for anything else. */
export function readRank(text: string): string | null {
  const upper = text.toUpperCase();
  return RANK_OF[upper] ?? (/^[2-9]$/.test(text) ? text : null);
}

/** "h" or "♥" to a suit, null for anything else. */
export function readSuit(text: string): string | null {
  return SUIT_OF[text.toLowerCase()] ?? null;
}
