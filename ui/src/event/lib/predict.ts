/** What a hand will come to, as far as a phone without a connection can tell. The server's answer replaces it. */
import type { ByPlayer, HandResult, Payment, Player, Table, TableCommand } from './protocol';

/** Those of a table who are dealt in: seated and not away, in the order of their seats. */
export function dealtIn(table: Table, players: ByPlayer<Player>): Player[] {
  return seated(table, players).filter((player) => !player.absent);
}

/**
 * Those of them who may be left out of the hand (docs/event-protocol.md, `is_new`): as they sat down, it may have been
 * under way. None where the hand needs them for an opponent.
 */
export function newcomersOf(table: Table, players: ByPlayer<Player>): Player[] {
  const known = seated(table, players).filter((player) => !player.is_new).length;
  return known < 2 ? [] : dealtIn(table, players).filter((player) => player.is_new);
}

export function seated(table: Table, players: ByPlayer<Player>): Player[] {
  return table.seats.flatMap((id) => {
    const player = id === null ? undefined : players[id];
    return player ? [player] : [];
  });
}

/** Each loser pays winners in the players' order, nobody more than they have. */
function payments(points: ByPlayer<number>, price: number, stacks: ByPlayer<number>): { paid: Payment[]; after: ByPlayer<number> } {
  const after = { ...stacks };
  const owed = Object.entries(points).filter(([, won]) => won > 0).map(([id, won]) => ({ id, won }));
  const paid: Payment[] = [];
  for (const [loser, number] of Object.entries(points)) {
    let left = -number;
    for (const winner of owed) {
      const share = Math.min(left, winner.won);
      if (share <= 0) continue;
      const due = share * price;
      const cap = Math.min(stacks[loser] ?? 0, after[loser] ?? 0, stacks[winner.id] ?? due);
      const moved = Math.min(due, cap);
      const capped = moved === due ? null : cap === (stacks[winner.id] ?? due) && cap < (after[loser] ?? 0) ? 'winner' : 'loser';
      paid.push({ loser: Number(loser), winner: Number(winner.id), points: share, chips: moved, due, capped_by: capped });
      after[loser] = (after[loser] ?? 0) - moved;
      after[winner.id] = (after[winner.id] ?? 0) + moved;
      winner.won -= share;
      left -= share;
    }
  }
  return { paid, after };
}

function nextSeat(seats: readonly (number | null)[], from: number): number {
  for (let step = 1; step <= seats.length; step += 1) {
    const seat = (from + step) % seats.length;
    if (seats[seat] !== null) return seat;
  }
  return from;
}

export function predictHand(
  table: Table,
  players: ByPlayer<Player>,
  points: ByPlayer<number>,
  earned: ByPlayer<number>,
  place: number,
): HandResult {
  const before = Object.fromEntries(seated(table, players).map((player) => [player.id, player.stack]));
  const { paid, after } = payments(points, table.price, before);
  const fantasyland = Object.fromEntries(Object.entries(earned).filter(([, cards]) => cards > 0));
  const held = Object.keys(fantasyland).length > 0;
  return {
    table: table.number, hand: table.hand, price: table.price, source: 'points', points, boards: {}, payments: paid, before, after, fantasyland,
    out: Object.keys(after).filter((id) => after[id] === 0).map((id) => ({ player: Number(id), place })),
    button_next: held ? table.button : table.button_after,
    price_next: held ? table.price : table.price_clock,
    held_next: held,
    approximate: Object.keys(points).length > 2 && paid.some(({ capped_by }) => capped_by !== null),
  };
}

/** The table and its players as they will be after a command that has not been sent yet. */
export function afterwards(
  table: Table,
  players: ByPlayer<Player>,
  command: TableCommand,
  predicted: HandResult | null,
): { table: Table; players: ByPlayer<Player> } {
  if (command.do === 'fantasyland') {
    const changed = Object.entries(command.cards).flatMap(([id, declared]) => (players[id] ? [[id, { ...players[id], declared }] as const] : []));
    return { table, players: { ...players, ...Object.fromEntries(changed) } };
  }
  if (!predicted) return { table, players };
  const known = seated(table, players).map((player) => [player.id, { ...player, is_new: false }] as const);
  const changed = Object.entries(predicted.after).flatMap(([id, stack]) => {
    const player = players[id];
    const cards = predicted.fantasyland[id] ?? 0;
    return player ? [[id, { ...player, is_new: false, stack, fantasyland: cards, declared: 0, points: Math.floor(stack / predicted.price_next) }] as const] : [];
  });
  return {
    players: { ...players, ...Object.fromEntries(known), ...Object.fromEntries(changed) },
    table: {
      ...table, hand: table.hand + 1, button: predicted.button_next, price: predicted.price_next, held: predicted.held_next, can_end: false,
      button_after: nextSeat(table.seats, predicted.button_next), last_hand: predicted, undo: null, short: [],
    },
  };
}

