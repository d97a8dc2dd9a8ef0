import type { BoardRows, ByPlayer, HandResult, PairPoints } from '../lib/protocol';

/** A hand that is to be entered anew: everything it was entered with, and the action that is undone for it. */
export interface Correction {
  hand: number;
  price: number;
  action: number;
  /** Of those who played it, without what the absent lost to them. */
  points: ByPlayer<number>;
  fantasyland: ByPlayer<number>;
  /** Null where nobody said who won from whom. */
  pairs: PairPoints[] | null;
  /** Null where points were entered. */
  boards: ByPlayer<BoardRows> | null;
}

export function correctionOf(hand: HandResult, action: number, absent: ReadonlySet<number>): Correction {
  const points = Object.fromEntries(Object.entries(hand.points).filter(([id]) => !absent.has(Number(id))));
  // A payment tells all points, also those that a cap left unpaid.
  for (const { winner, loser, points: won } of hand.payments) {
    if (absent.has(loser)) points[winner] = (points[winner] ?? 0) - won;
  }
  const played = hand.payments.filter(({ loser }) => !absent.has(loser));
  return {
    hand: hand.hand, price: hand.price, action, points, fantasyland: hand.fantasyland,
    pairs: hand.source === 'pairs' ? played.map(({ winner, loser, points: won }) => ({ winner, loser, points: won })) : null,
    boards: hand.source === 'boards' ? hand.boards : null,
  };
}
