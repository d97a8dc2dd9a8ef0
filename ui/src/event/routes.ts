/** The addresses of an event's pages. */
export type EventRoute =
  | { page: 'calculator' }
  | { page: 'table'; code: string }
  | { page: 'players'; event: string }
  | { page: 'screen'; event: string }
  | { page: 'new' }
  | { page: 'direct'; event: string; rest: string[] }
  | { page: 'unknown' };

export function parseEventRoute(path: string): EventRoute {
  const [first, second, third, ...rest] = path.split('/').filter(Boolean).map(decodeURIComponent);
  if (first === 'calculator' && !second) return { page: 'calculator' };
  if (first === 't' && second && !third) return { page: 'table', code: second.toUpperCase() };
  if (first !== 'event' || !second) return { page: 'unknown' };
  if (second === 'new' && !third) return { page: 'new' };
  if (!third) return { page: 'players', event: second };
  if (third === 'screen' && rest.length === 0) return { page: 'screen', event: second };
  if (third === 'direct') return { page: 'direct', event: second, rest };
  return { page: 'unknown' };
}

export const codePath = (code: string): string => `/t/${encodeURIComponent(code)}`;
export const eventPath = (event: string): string => `/event/${encodeURIComponent(event)}`;
