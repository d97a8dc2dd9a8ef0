import type { ByPlayer, PairPoints } from './protocol';

/** Who won from whom among three, from the points of each and what the first won from the second. */
export function pairsOf(ids: readonly number[], points: ByPlayer<number>, won: number): PairPoints[] {
  const [a = 0, b = 0, c = 0] = ids;
  const between: [number, number, number][] = [[a, b, won], [a, c, (points[a] ?? 0) - won], [b, c, (points[b] ?? 0) + won]];
  return between.map(([one, other, number]) => (number < 0 ? { winner: other, loser: one, points: -number } : { winner: one, loser: other, points: number }));
}
