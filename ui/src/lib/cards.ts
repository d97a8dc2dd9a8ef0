import { ROWS, type Card, type Placement } from './protocol';

const RANKS = '23456789TJQKA';
const SUITS = 'shdc';

const RANK_NAMES: Record<string, string> = {
  '2': 'two', '3': 'three', '4': 'four', '5': 'five', '6': 'six', '7': 'seven', '8': 'eight',
  '9': 'nine', T: 'ten', J: 'jack', Q: 'queen', K: 'king', A: 'ace',
};
const SUIT_NAMES: Record<string, string> = { s: 'spades', h: 'hearts', d: 'diamonds', c: 'clubs' };

export const rankOf = (card: Card): string => card.charAt(0);
export const suitOf = (card: Card): string => card.charAt(1);
export const rankText = (card: Card): string => (rankOf(card) === 'T' ? '10' : rankOf(card));
export const suitName = (card: Card): string => SUIT_NAMES[suitOf(card)] ?? '';

/** "king of hearts" */
export function cardName(card: Card): string {
  return `${RANK_NAMES[rankOf(card)] ?? rankOf(card)} of ${suitName(card)}`;
}

export type SortOrder = 'dealt' | 'rank' | 'suit';

/** The cards in the order asked for, high to low; as dealt when no order is asked for. */
export function sortCards(cards: readonly Card[], order: SortOrder): Card[] {
  if (order === 'dealt') return [...cards];
  const rank = (card: Card) => RANKS.indexOf(rankOf(card));
  const suit = (card: Card) => SUITS.indexOf(suitOf(card));
  return [...cards].sort((a, b) =>
    order === 'rank' ? rank(b) - rank(a) || suit(a) - suit(b) : suit(a) - suit(b) || rank(b) - rank(a),
  );
}

/** Cards of one rank together, larger groups first: how a finished row reads best. */
export function groupCards(cards: readonly Card[]): Card[] {
  const count = (card: Card) => cards.filter((other) => rankOf(other) === rankOf(card)).length;
  return sortCards(cards, 'rank').sort((a, b) => count(b) - count(a));
}

/** Whether two lists hold the same cards, in whatever order. */
export function sameCards(a: readonly Card[], b: readonly Card[]): boolean {
  return a.length === b.length && [...a].sort().join() === [...b].sort().join();
}

/** "king of spades top, three of hearts middle", rows from top to bottom. */
export function placementsInWords(placements: readonly Placement[]): string {
  return ROWS.flatMap((row) =>
    placements.filter((p) => p.row === row).map((p) => `${cardName(p.card)} ${row}`),
  ).join(', ');
}
