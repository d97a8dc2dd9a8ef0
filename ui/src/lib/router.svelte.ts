export type Route =
  | { page: 'lobby' }
  | { page: 'table'; table: string }
  | { page: 'replay'; table: string; hand: number }
  | { page: 'event' }
  | { page: 'unknown' };

/** The parts of an address, decoded; null if it cannot be: then it is none of ours. */
export function partsOf(path: string): string[] | null {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return null;
  }
}

export function parseRoute(path: string): Route {
  const parts = partsOf(path);
  if (!parts) return { page: 'unknown' };
  const [first, table, hands, hand] = parts;
  if (parts.length === 0) return { page: 'lobby' };
  if (first === 'table' && table && parts.length === 2) return { page: 'table', table };
  if (first === 'table' && table && hands === 'hands' && parts.length === 4 && /^\d+$/.test(hand ?? '')) {
    return { page: 'replay', table, hand: Number(hand) };
  }
  // Tournaments and their calculator read their own addresses (event/routes.ts).
  if (['calculator', 't', 'l', 'event', 'events'].includes(first ?? '')) return { page: 'event' };
  return { page: 'unknown' };
}

export const tablePath = (table: string): string => `/table/${encodeURIComponent(table)}`;
export const replayPath = (table: string, hand: number): string => `${tablePath(table)}/hands/${hand}`;

class Router {
  path = $state(location.pathname);
  route = $derived(parseRoute(this.path));

  constructor() {
    addEventListener('popstate', () => (this.path = location.pathname));
    addEventListener('click', (event) => this.#follow(event));
  }

  go(path: string): void {
    history.pushState(null, '', path);
    this.path = location.pathname;
    scrollTo(0, 0);
  }

  /** Links to our own pages are followed without a reload, unless the browser was asked for a new tab. */
  #follow(event: MouseEvent): void {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !plain || event.defaultPrevented || link.target || link.origin !== location.origin) return;
    if (link.hasAttribute('download') || link.pathname.startsWith('/api/')) return;
    event.preventDefault();
    this.go(link.pathname);
  }
}

export const router = new Router();
