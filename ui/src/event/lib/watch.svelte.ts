import { untrack } from 'svelte';
import { announcer } from '../../lib/announcer.svelte';
import { leftMs } from './clock.svelte';
import { chips } from './format';
import type { EventView } from './protocol';

const LAST_MS = 60_000;

/** Announces each new step of the clock and its last minute, once. The clock itself is never read out. `onlevel`: a level begins. */
export function watchClock(view: () => EventView | null, now: () => number, onlevel?: () => void): void {
  let step: number | null = null;
  let lastMinute: number | null = null;

  $effect(() => {
    const clock = view()?.clock;
    if (!clock) return;
    if (step !== null && step !== clock.step) {
      announcer.say(clock.is_break ? 'Break' : `Level ${clock.level}. ${chips(clock.price)} a point`);
      if (!clock.is_break) untrack(() => onlevel?.());
    }
    step = clock.step;
  });

  $effect(() => {
    const clock = view()?.clock;
    if (!clock?.running || clock.is_break) return;
    const left = leftMs(clock, now());
    if (left === null || left > LAST_MS || left <= 0 || lastMinute === clock.step) return;
    lastMinute = clock.step;
    announcer.say(clock.price_next === null ? 'Last minute of the level' : `Last minute. Then ${chips(clock.price_next)} a point`);
  });
}
