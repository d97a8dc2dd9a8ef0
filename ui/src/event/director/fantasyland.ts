import type { EntryCards } from '../lib/protocol';

/** How many cards Fantasyland can come with under these rules, each once, fewest first. */
export function fantasylandCards(entry: EntryCards | undefined): number[] {
  const counts = entry ? [entry.queens, entry.kings, entry.aces, entry.trips] : [];
  return [...new Set(counts)].filter((count) => count > 0).sort((a, b) => a - b);
}
