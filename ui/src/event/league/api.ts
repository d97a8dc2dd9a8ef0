import { newId } from '../../lib/ids';
import { request } from '../lib/api';
import type { LogEntry, Stage } from '../lib/protocol';

export interface LeagueRule {
  name: string;
  formula: string;
  best: number | null;
  least_played: number;
}

export interface LeagueEvent {
  event: string;
  name: string;
  stage: Stage;
  players: number;
  opened_at: number;
}

export interface LeagueRow {
  place: number | null;
  player: string;
  points: number;
  played: number;
  counted: number;
  finishes: number[];
  ranked: boolean;
  results: { event: number; place: number; points: number; counts: boolean }[];
}

export interface LeagueView extends LeagueRule {
  league: string;
  seq: number;
  words: string;
  events: LeagueEvent[];
  standings: LeagueRow[];
  /** Your name in the log, if you direct it. */
  director: string | null;
  log: LogEntry[];
}

export interface LeagueSummary {
  league: string;
  name: string;
  events: string[];
  seq: number;
}

export interface Formula {
  id: string;
  title: string;
  takes: string;
  numbers: string;
}

export type LeagueCommand =
  | ({ do: 'settings' } & LeagueRule)
  | { do: 'add-event' | 'remove-event'; event: string }
  | { do: 'undo' | 'redo'; action: number };

const at = (league: string): string => `/leagues/${encodeURIComponent(league)}`;

/** The address of the standings as a file. */
export const standingsFile = (league: string, kind: 'csv' | 'pdf'): string => `/api${at(league)}/standings.${kind}`;

export const leagueApi = {
  mine: async () => (await request<{ leagues: LeagueSummary[] }>('/leagues')).leagues,
  open: (rule: LeagueRule, director: string) => request<{ league: string }>('/leagues', { ...rule, director }),
  view: (league: string) => request<LeagueView>(at(league)),
  join: (league: string, key: string, name: string) => request(`${at(league)}/directors`, { key, name }),
  key: async (league: string) => (await request<{ key: string }>(`${at(league)}/key`)).key,
  formulas: async () => (await request<{ formulas: Formula[] }>('/formulas')).formulas,
  do: (league: string, seq: number, command: LeagueCommand) => request(at(league), { id: newId(), seq, command }),
};
