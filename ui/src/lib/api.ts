import type { BotSummary, Fault, HandSummary, NewTable, RulesSummary, TableSummary, View } from './protocol';

/** A request the server refused, with every fault it found. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly faults: Fault[],
  ) {
    super(faults.map((fault) => fault.message).join(' ') || `The server answered ${status}.`);
    this.name = 'ApiError';
  }
}

async function request<T>(path: string, body?: unknown): Promise<T> {
  const init: RequestInit =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/api${path}`, init);
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    const faults = (answer as { errors?: Fault[] } | null)?.errors ?? [];
    throw new ApiError(response.status, faults);
  }
  return answer as T;
}

const at = (table: string): string => `/tables/${encodeURIComponent(table)}`;

export const api = {
  rules: async () => (await request<{ rules: RulesSummary[] }>('/rules')).rules,
  bots: async () => (await request<{ bots: BotSummary[] }>('/bots')).bots,
  tables: async () => (await request<{ tables: TableSummary[] }>('/tables')).tables,
  table: (table: string) => request<TableSummary>(at(table)),
  hands: async (table: string) => (await request<{ hands: HandSummary[] }>(`${at(table)}/hands`)).hands,
  replay: async (table: string, hand: number) =>
    (await request<{ frames: View[] }>(`${at(table)}/hands/${hand}`)).frames,
  start: async (table: NewTable) => (await request<{ table: string }>('/tables', table)).table,
};

/** The message of whatever went wrong, fit to be shown. */
export function faultText(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  return 'No connection to the server. Check that it runs, then try again.';
}
