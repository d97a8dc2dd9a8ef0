import { faultText } from '../lib/api';
import type { Step, Structure } from '../lib/protocol';
import { directorApi, type Suggestion, type Wish } from '../director/api';
import type { Director } from '../director/director.svelte';
import { load, save } from '../../lib/storage';
import { level, nextPrice, plain, planned, readLength, sameStructure } from './plan';

const SAVE_AFTER_MS = 700;
const FORECAST_AFTER_MS = 600;

interface Settings {
  name: string;
  structure: Structure;
  absent_points: number;
}

/** The set-up of one event: what is wanted, the structure being edited, and what to expect of it. */
export class Draft {
  #director: Director;
  settings = $state.raw<Settings>({ name: '', structure: { starting_stack: 0, steps: [], late_until: 0, reentries: 0 }, absent_points: 0 });
  wish = $state<Wish>({ players: 24, minutes: 240, starting_stack: 5000, level_minutes: 20, break_after: 4, break_minutes: 10, hand_minutes: 6 });
  expected = $state.raw<Suggestion | null>(null);
  /** The prices that the expectation is about are no longer these. */
  outdated = $state(false);
  asking = $state(false);
  problem = $state('');
  /** Time of day, as "18:20"; only this browser knows it. */
  start = $state('');
  /** Of each field that cannot be read: what it is called. What was there before stays meanwhile. */
  wrong = $state.raw<Record<string, string>>({});
  unreadable = $derived(Object.values(this.wrong));
  /** Counts how often all fields were filled anew. */
  filled = $state(0);
  #saving: ReturnType<typeof setTimeout> | undefined;
  #forecasting: ReturnType<typeof setTimeout> | undefined;
  #asked: AbortController | null = null;

  plan = $derived.by(() => planned(this.settings.structure.steps, this.outdated ? null : this.expected, this.wish.hand_minutes));
  dirty = $derived.by(() => {
    const event = this.#director.view?.event;
    if (!event || !this.settings.name) return false;
    const { name, structure, absent_points } = this.settings;
    return name !== event.name || absent_points !== event.absent_points || !sameStructure(structure, event.structure);
  });

  /** The start in minutes of the day; null where it is not known. */
  beginsAt = $derived.by((): number | null => {
    const [hours, minutes] = this.start.split(':').map(Number);
    return hours === undefined || minutes === undefined || Number.isNaN(hours + minutes) ? null : hours * 60 + minutes;
  });

  constructor(director: Director) {
    this.#director = director;
    this.take();
    this.start = String(load(`start.${director.event}`) ?? '');
    const known = load(`wish.${director.event}`) as Partial<Wish> | null;
    const { structure } = this.settings;
    const registered = Object.values(director.view?.players ?? {}).filter(({ withdrawn }) => !withdrawn).length;
    this.wish = { ...this.wish, ...known, starting_stack: structure.starting_stack || this.wish.starting_stack };
    if (!known && registered > 1) this.wish.players = registered;
    const before = load(`expected.${director.event}`) as Suggestion | null;
    if (before && sameStructure(before.structure, { ...structure, late_until: before.structure.late_until, reentries: before.structure.reentries })) this.expected = before;
  }

  /** Only setting up is saved by itself; what runs is changed on purpose. */
  get savesItself(): boolean {
    return this.#director.view?.event.stage === 'setup';
  }

  /** Takes what the server has. */
  take(): void {
    const event = this.#director.view?.event;
    if (event) this.settings = { name: event.name, structure: plain(event.structure), absent_points: event.absent_points };
  }

  /** Takes what the server has, and empties every field that cannot be read. */
  discard(): void {
    this.take();
    this.refill();
  }

  refill(): void {
    this.wrong = {};
    this.filled += 1;
  }

  mark(field: string, words: string): void {
    const { [field]: _, ...others } = this.wrong;
    this.wrong = words ? { ...others, [field]: field } : others;
  }

  change(settings: Partial<Settings>): void {
    this.settings = { ...this.settings, ...settings };
    clearTimeout(this.#saving);
    if (this.savesItself) this.#saving = setTimeout(() => void this.save(), SAVE_AFTER_MS);
  }

  changeStructure(structure: Partial<Structure>): void {
    this.change({ structure: { ...this.settings.structure, ...structure } });
    if (structure.steps || structure.starting_stack) {
      this.outdated = this.expected !== null;
      this.#forecastSoon();
    }
  }

  /** What is typed is played in the model, before it is applied. */
  #forecastSoon(): void {
    clearTimeout(this.#forecasting);
    this.#asked?.abort();
    this.#forecasting = setTimeout(() => void this.forecast(), FORECAST_AFTER_MS);
  }

  async forecast(): Promise<void> {
    const asked = (this.#asked = new AbortController());
    this.problem = '';
    try {
      const answer = await directorApi.forecast(plain(this.settings.structure), this.wish, asked.signal);
      if (asked.signal.aborted) return;
      this.expected = answer;
      this.outdated = false;
      save(`expected.${this.#director.event}`, answer);
    } catch (error) {
      if (!asked.signal.aborted) this.problem = faultText(error);
    }
  }

  changeStep(index: number, change: Partial<Step>): void {
    this.changeStructure({ steps: this.settings.structure.steps.map((step, at) => (at === index ? ({ ...step, ...change } as Step) : step)) });
  }

  addLevel(after: number): void {
    const { steps } = this.settings.structure;
    const minutes = steps.findLast((step) => step.kind === 'level')?.minutes ?? this.wish.level_minutes;
    this.#insert(after, { ...level(nextPrice(steps, after)), minutes } as Step);
  }

  addBreak(after: number): void {
    this.#insert(after, { kind: 'break', minutes: this.wish.break_minutes });
  }

  removeStep(index: number): void {
    this.changeStructure({ steps: this.settings.structure.steps.filter((_, at) => at !== index) });
  }

  moveStep(index: number, by: -1 | 1): void {
    const steps = [...this.settings.structure.steps];
    const [step] = steps.splice(index, 1);
    if (step) steps.splice(index + by, 0, step);
    this.changeStructure({ steps });
  }

  #insert(after: number, step: Step): void {
    const steps = [...this.settings.structure.steps];
    steps.splice(after + 1, 0, step);
    this.changeStructure({ steps });
  }

  /** Stores the settings now; whether all that is typed is stored then. */
  async save(): Promise<boolean> {
    clearTimeout(this.#saving);
    if (this.unreadable.length > 0) return false;
    if (!this.dirty) return true;
    const { name, structure, absent_points } = this.settings;
    const done = await this.#director.do({ do: 'settings', name: name.trim(), structure, absent_points }, { quiet: this.savesItself });
    return done !== null;
  }

  setWish(change: Partial<Wish>): void {
    this.wish = { ...this.wish, ...change };
    if (this.expected && (change.players !== undefined || change.hand_minutes !== undefined)) {
      this.outdated = true;
      this.#forecastSoon();
    }
    save(`wish.${this.#director.event}`, this.wish);
  }

  setStart(start: string): void {
    this.start = start;
    save(`start.${this.#director.event}`, start);
  }

  setLength(text: string): boolean {
    const minutes = readLength(text);
    if (minutes !== null) this.setWish({ minutes });
    return minutes !== null;
  }

  async suggest(): Promise<void> {
    clearTimeout(this.#forecasting);
    this.#asked?.abort();
    this.asking = true;
    this.problem = '';
    try {
      const answer = await directorApi.suggest(this.wish);
      const { late_until, reentries } = this.settings.structure;
      const structure = { ...plain(answer.structure), late_until: late_until || answer.structure.late_until, reentries };
      this.change({ structure });
      this.refill();
      this.expected = answer;
      this.outdated = false;
      save(`expected.${this.#director.event}`, answer);
    } catch (error) {
      this.problem = faultText(error);
    }
    this.asking = false;
  }

  close(): void {
    clearTimeout(this.#saving);
    clearTimeout(this.#forecasting);
    this.#asked?.abort();
    if (this.savesItself && this.dirty) void this.save();
  }
}
