import { chips } from '../lib/format';

const MOST = 1_000_000_000;

/** Thousands apart as people write them: 1,000, 1 000, 1.000, 1’000. */
const GROUPED = /^\d{1,3}([\s,.’'])\d{3}(?:\1\d{3})*$/;

/** The whole number that somebody typed, or what is wrong about it. */
export function readWhole(text: string, least: number): number | string {
  const typed = text.trim();
  if (!typed) return `A number is missing: ${chips(least)} or more.`;
  const digits = typed.replace(/[\s,.’']/g, '');
  const number = Number(digits);
  const isWhole = /^\d+$/.test(digits) && (digits === typed || GROUPED.test(typed) || chips(number) === typed);
  if (!isWhole) return `“${typed}” is no whole number of ${chips(least)} or more.`;
  if (number < least) return `${chips(number)} is too little: ${chips(least)} or more.`;
  if (number > MOST) return `${typed} is too much: ${chips(MOST)} at most.`;
  return number;
}
