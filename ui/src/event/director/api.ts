import type { Fault } from '../../lib/protocol';
import { ApiError, request } from '../lib/api';
import type { ByPlayer, Stage, Structure } from '../lib/protocol';

export interface EventSummary {
  event: string;
  name: string;
  stage: Stage;
  players: number;
  opened_at: number;
}

export interface NewEvent {
  name: string;
  rules: string;
  structure: Structure;
  seats: number;
  absent_points: number;
  director: string;
}

export interface Wish {
  players: number;
  minutes: number;
  starting_stack: number;
  level_minutes: number;
  break_after: number;
  break_minutes: number;
  hand_minutes: number;
}

/** How many are left at a minute: where 1 of 10 events is faster, half of them, and where 1 of 10 is slower. */
export interface CurvePoint {
  minute: number;
  early: number;
  middle: number;
  late: number;
}

export interface Suggestion {
  structure: Structure;
  expected_minutes: number;
  early_minutes: number;
  late_minutes: number;
  players_left: CurvePoint[];
  /** What each level begins with, those that half of the events never reach left out. */
  levels: { number: number; price: number; starts: number; players: number; average: number }[];
  reasoning: string[];
}

export interface StructureTemplate {
  id: string;
  title: string;
  summary: string;
  structure: Structure;
}

export interface Opened {
  event: string;
  key: string;
}

/** `words` say what was done about a running clock and codes that another event has, null where nothing was. */
export interface TakenIn extends Opened {
  codes: Record<string, string>;
  words: string | null;
}

export type DealMethod = 'icm' | 'chip-chop' | 'even';

/** What a deal now would give each. */
export interface DealOffer {
  shares: ByPlayer<number>;
  held_back: number;
}

export interface PayoutTemplate {
  id: string;
  title: string;
  origin: string;
}

const at = (event: string): string => `/events/${encodeURIComponent(event)}`;

/** The address of a file of the event, to print or to keep. */
export const fileOf = (event: string, file: string): string => `/api${at(event)}/${file}`;

export const directorApi = {
  events: async () => (await request<{ events: EventSummary[] }>('/events')).events,
  open: (event: NewEvent) => request<Opened>('/events', event),
  join: (event: string, key: string, name: string) => request<{ event: string }>(`${at(event)}/directors`, { key, name }),
  key: async (event: string) => (await request<{ key: string }>(`${at(event)}/key`)).key,
  structures: async () => (await request<{ structures: StructureTemplate[] }>('/structures')).structures,
  suggest: (wish: Wish, signal?: AbortSignal) => request<Suggestion>('/events/suggest', wish, signal),
  forecast: (structure: Structure, { players, hand_minutes }: Wish, signal?: AbortSignal) => request<Suggestion>('/events/forecast', { structure, players, hand_minutes }, signal),
  payouts: async () => (await request<{ payouts: PayoutTemplate[] }>('/payouts')).payouts,
  deal: (event: string, method: DealMethod, heldBack: number) => request<DealOffer>(`${at(event)}/deal`, { method, unit: 1, held_back: heldBack }),
  /** Goes on here with an event that was exported elsewhere. */
  takeIn: async (file: Blob): Promise<TakenIn> => {
    const response = await fetch('/api/events/import', { method: 'POST', body: file, headers: { 'content-type': 'application/octet-stream' } });
    const answer: unknown = await response.json().catch(() => null);
    if (!response.ok) throw new ApiError(response.status, (answer as { errors?: Fault[] } | null)?.errors ?? []);
    return answer as TakenIn;
  },
};
