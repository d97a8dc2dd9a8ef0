import { ApiError, faultText } from '../../lib/api';
import type { Fault } from '../../lib/protocol';
import type { CalculatorAnswer, CalculatorRequest, TypedHand } from './protocol';

export { ApiError, faultText };

/** A request to the server; a refusal is an `ApiError` with every fault found. */
export async function request<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const init: RequestInit =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/api${path}`, signal ? { ...init, signal } : init);
  const answer: unknown = await response.json().catch(() => null);
  if (!response.ok) {
    throw new ApiError(response.status, (answer as { errors?: Fault[] } | null)?.errors ?? []);
  }
  return answer as T;
}

export const eventApi = {
  calculate: (body: CalculatorRequest, signal?: AbortSignal) => request<CalculatorAnswer>('/calculator', body, signal),
  readBoards: (text: string) => request<TypedHand>('/calculator/text', { text }),
  tableCode: (code: string) => request<{ event: string; table: number }>(`/table-codes/${encodeURIComponent(code)}`),
  /** Whether the event is there: others than directors are refused its key with another answer than 404. */
  exists: async (event: string): Promise<boolean> => {
    try {
      await request(`/events/${encodeURIComponent(event)}/key`);
    } catch (error) {
      return !(error instanceof ApiError && error.status === 404);
    }
    return true;
  },
};
