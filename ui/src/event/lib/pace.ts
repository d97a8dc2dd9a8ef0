import { counted, listNames } from './format';
import type { EventInfo, Table } from './protocol';

const MOST_NAMED = 4;

/** The tables that this one waits for before its next hand; none if it may play on. */
export function waitsFor({ behind, hand_for_hand }: EventInfo, { number, held }: Table): number[] {
  return behind.includes(number) || (held && !hand_for_hand) ? [] : behind;
}

/** "table 2", "tables 2 and 5", "12 tables" */
export function tablesText(numbers: readonly number[]): string {
  if (numbers.length > MOST_NAMED) return counted(numbers.length, 'table');
  return `${numbers.length === 1 ? 'table' : 'tables'} ${listNames(numbers.map(String))}`;
}
