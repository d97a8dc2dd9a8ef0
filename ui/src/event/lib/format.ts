/** How numbers and names are written on the pages of an event. Numbers follow the locale; minus is −. */
import { listNames, ordinal } from '../../lib/words';

export { listNames, ordinal };

const MINUS = '−';
const NUMBER = new Intl.NumberFormat();

/** 10,940 and −18 */
export function chips(value: number): string {
  // Nothing taken from nothing is 0, not −0.
  return value < 0 ? MINUS + NUMBER.format(-value) : NUMBER.format(value + 0);
}

/** +1,100, −620, 0 */
export function signed(value: number): string {
  return value > 0 ? `+${chips(value)}` : chips(value);
}

/** A stack in whole points at this price, rounded down. */
export function inPoints(stack: number, price: number): number {
  return price > 0 ? Math.floor(stack / price) : 0;
}

/** "1 point", "18 points" */
export function pointsText(value: number): string {
  return `${chips(value)} ${Math.abs(value) === 1 ? 'point' : 'points'}`;
}

/** "1 hand", "2 hands" */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${chips(count)} ${count === 1 ? one : many}`;
}

/** Gain, loss or neither. */
export function tone(value: number): 'good' | 'bad' | '' {
  return value > 0 ? 'good' : value < 0 ? 'bad' : '';
}

/** First names where they differ, else as much of the name as makes it clear. */
export function shortNames(names: readonly string[]): string[] {
  const first = names.map((name) => name.trim().split(/\s+/)[0] ?? name);
  return names.map((name, index) => (first.filter((other) => other === first[index]).length > 1 ? name : (first[index] ?? name)));
}

/** "Grace’s", "Ines’s" */
export function of(name: string): string {
  return `${name}’s`;
}
