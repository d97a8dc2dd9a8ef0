/** What a table's phone has entered and the server has not answered yet. In IndexedDB: it outlives a reload. */
import type { HandResult, TableCommand } from './protocol';

export interface Waiting {
  id: string;
  code: string;
  command: TableCommand;
  at: number;
  /** Entered without a connection. */
  offline: boolean;
  /** It went out at least once, under this `seq`: it may have been done. */
  sentAs: number | null;
  /** The table as it was when this was decided. */
  basis: { hand: number; price: number; seats: (number | null)[] };
  predicted: HandResult | null;
}

const STORE = 'waiting';

function request<T>(asked: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error('IndexedDB'));
  });
}

async function store(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open('ofc-event', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'id' });
  return (await request(opening)).transaction(STORE, mode).objectStore(STORE);
}

/** In order of entry; empty where the browser keeps nothing. */
export async function loadWaiting(code: string): Promise<Waiting[]> {
  try {
    const all = await request<Waiting[]>((await store('readonly')).getAll());
    return all.filter((item) => item.code === code).sort((a, b) => a.at - b.at);
  } catch {
    return [];
  }
}

/** False where the browser keeps nothing: then it is in memory only. */
export async function keepWaiting(item: Waiting): Promise<boolean> {
  try {
    await request((await store('readwrite')).put(item));
    return true;
  } catch {
    return false;
  }
}

export async function dropWaiting(id: string): Promise<void> {
  try {
    await request((await store('readwrite')).delete(id));
  } catch {
    // It was in memory only.
  }
}
