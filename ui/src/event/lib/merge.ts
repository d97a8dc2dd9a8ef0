import type { ByPlayer, EventPatch, EventView, Player } from './protocol';

/** Entries of the patch over those known, field by field; null is one that is gone. */
function mergeKeys<T extends object>(known: Record<string, T>, changed: Record<string, Partial<T> | null> | undefined): Record<string, T> {
  if (!changed) return known;
  const merged = { ...known };
  for (const [key, value] of Object.entries(changed)) {
    if (value === null) delete merged[key];
    else merged[key] = { ...known[key], ...value } as T;
  }
  return merged;
}

/** The places of those who play follow from the stacks, and are not sent: equal stacks share one. */
function ranked(players: ByPlayer<Player>): ByPlayer<Player> {
  const playing = Object.values(players).filter((player) => player.table !== null).sort((a, b) => b.stack - a.stack);
  const merged = { ...players };
  let place = 1;
  playing.forEach((player, index) => {
    if (player.stack !== playing[index - 1]?.stack) place = index + 1;
    if (player.place !== place) merged[player.id] = { ...player, place };
  });
  return merged;
}

/** The view after a patch: players and tables by key and field, everything else replaced where it was sent. */
export function mergePatch(view: EventView, patch: EventPatch): EventView {
  const { players, tables, ...rest } = patch;
  return {
    ...view,
    ...rest,
    players: players ? ranked(mergeKeys(view.players, players)) : view.players,
    tables: mergeKeys(view.tables, tables),
  };
}
