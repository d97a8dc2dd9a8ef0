import type { EventPatch, EventView } from './protocol';

/** Entries of the patch over those known; null is one that is gone. */
function mergeKeys<T>(known: Record<string, T>, changed: Record<string, T | null> | undefined): Record<string, T> {
  if (!changed) return known;
  const merged = { ...known };
  for (const [key, value] of Object.entries(changed)) {
    if (value === null) delete merged[key];
    else merged[key] = value;
  }
  return merged;
}

/** The view after a patch: players and tables by key, everything else replaced where it was sent. */
export function mergePatch(view: EventView, patch: EventPatch): EventView {
  const { players, tables, ...rest } = patch;
  return { ...view, ...rest, players: mergeKeys(view.players, players), tables: mergeKeys(view.tables, tables) };
}
