import { ordinal, shortNames } from './format';
import type { EventView } from './protocol';

export interface PrizeRow {
  /** A place, or who agreed on it in a deal. */
  label: string;
  amount: number;
}

/** What is won: after a deal what is left to play for and what each agreed on, then the places paid before it. */
export function prizeRows({ event: { prizes, deal }, players }: EventView, { short = false } = {}): PrizeRow[] {
  const places = (prizes?.places ?? []).map((amount, index) => ({ label: ordinal(index + 1), amount }));
  if (!deal) return places;
  const shares = Object.entries(deal.shares).sort(([, a], [, b]) => b - a);
  const names = shares.map(([id]) => players[Number(id)]?.name ?? '');
  const labels = short ? shortNames(names) : names;
  const agreed = shares.map(([, amount], index) => ({ label: labels[index] ?? '', amount }));
  const winner = deal.held_back > 0 ? [{ label: 'Winner', amount: deal.held_back }] : [];
  return [...winner, ...agreed, ...places.slice(agreed.length)];
}
