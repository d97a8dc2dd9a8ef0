import type { Calculator } from './calculator.svelte';
import { readRank, readSuit } from './deck';

const ARROWS: Record<string, readonly [rows: number, places: number]> = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
};

/**
 * Takes a key for the calculator: a rank and then a suit, Backspace, arrows.
 *
 * Returns the rank that waits for its suit, or null where the key was none of its own.
 */
export function calculatorKey(calculator: Calculator, event: KeyboardEvent, waiting: string): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return null;
  const target = event.target;
  if (target instanceof HTMLElement && target.matches('input, textarea, select')) return null;
  // A question over the calculator has the keys; one that holds the calculator does not.
  if (document.querySelector('dialog[open]:not(:has([data-testid="calculator"]))')) return null;
  const suit = waiting && waiting !== '1' ? readSuit(event.key) : null;
  if (suit) {
    calculator.put(`${waiting}${suit}`);
    return '';
  }
  if (waiting === '1' && event.key === '0') return 'T';
  if (event.key === '1') return '1';
  const rank = readRank(event.key);
  if (rank) return rank;
  if (event.key === 'Backspace') {
    if (!waiting) calculator.undo();
    return '';
  }
  if (event.key === 'Escape' && waiting) return '';
  const arrow = ARROWS[event.key];
  if (!arrow) return null;
  calculator.step(...arrow);
  return waiting;
}
