import { partsOf } from '../lib/router.svelte';

/** The addresses of an event's pages. */
export type EventRoute =
  | { page: 'calculator' }
  | { page: 'table'; code: string }
  | { page: 'players'; event: string }
  | { page: 'screen'; event: string }
  | { page: 'events'; opening: boolean }
  | { page: 'setup'; event: string }
  | { page: 'direct'; event: string }
  | { page: 'league'; league: string }
  | { page: 'unknown' };

export function parseEventRoute(path: string): EventRoute {
  const [first, second, third, ...rest] = partsOf(path) ?? [];
  if (first === 'calculator' && !second) return { page: 'calculator' };
  if (first === 't' && second && !third) return { page: 'table', code: second.toUpperCase() };
  if (first === 'l' && second && !third) return { page: 'league', league: second.toUpperCase() };
  if (first === 'events' && !second) return { page: 'events', opening: false };
  if (first !== 'event' || !second) return { page: 'unknown' };
  if (second === 'new' && !third) return { page: 'events', opening: true };
  if (!third) return { page: 'players', event: second };
  if (third === 'screen' && rest.length === 0) return { page: 'screen', event: second };
  if (third === 'setup' && rest.length === 0) return { page: 'setup', event: second };
  if (third === 'direct' && rest.length === 0) return { page: 'direct', event: second };
  return { page: 'unknown' };
}

export const codePath = (code: string): string => `/t/${encodeURIComponent(code)}`;
export const leaguePath = (league: string): string => `/l/${encodeURIComponent(league)}`;
export const eventPath = (event: string): string => `/event/${encodeURIComponent(event)}`;
export const setupPath = (event: string): string => `${eventPath(event)}/setup`;
export const directPath = (event: string): string => `${eventPath(event)}/direct`;
