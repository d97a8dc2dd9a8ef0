/** How numbers and names are written. */
import type { SeatView, Unit, View } from './protocol';

const MINUS = '\u2212';
const THIN_SPACE = '\u202f';
const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five'];

/** 12 345 with a thin space, and the true minus sign. */
export function formatNumber(value: number): string {
  const digits = String(Math.abs(value)).replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
  return value < 0 ? MINUS + digits : digits;
}

/** +7, −3, 0 */
export function formatSigned(value: number): string {
  return value > 0 ? `+${formatNumber(value)}` : formatNumber(value);
}

/** A standing: signed points, or a plain stack of chips. */
export function formatStanding(value: number, unit: Unit): string {
  return unit === 'points' ? formatSigned(value) : formatNumber(value);
}

export function unitWord(value: number, unit: Unit): string {
  return Math.abs(value) === 1 ? unit.slice(0, -1) : unit;
}

/** Standing minus what the unit starts from, for a line's colour: gain, loss or neither. */
export function tone(value: number): 'good' | 'bad' | '' {
  return value > 0 ? 'good' : value < 0 ? 'bad' : '';
}

export function countWord(count: number): string {
  return NUMBER_WORDS[count] ?? String(count);
}

export function cardsWord(count: number): string {
  return count === 1 ? 'card' : 'cards';
}

export function listNames(names: readonly string[]): string {
  if (names.length < 2) return names[0] ?? '';
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function ordinal(place: number): string {
  const tens = place % 100;
  const ending = tens > 10 && tens < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][place % 10] ?? 'th');
  return `${place}${ending}`;
}

export function seatName(view: View, seat: number): string {
  return seat === view.you ? 'You' : (view.seats[seat]?.name ?? `Seat ${seat + 1}`);
}

/** Two letters for the avatar. */
export function initials(seat: SeatView, you: number | null): string {
  return seat.seat === you ? 'You' : seat.name.slice(0, 2);
}

/** Who the table waits for: "Jonas to place", "Wen to set 15 cards", "Jonas and Wen to place". */
export function awaited(view: View): string {
  const others = view.turn.filter((seat) => seat !== view.you);
  if (others.length === 0) return view.turn.length > 0 ? 'Your turn' : 'Dealing';
  const setting = others.filter((seat) => (view.seats[seat]?.fantasyland ?? 0) > 0);
  const [only] = setting;
  if (setting.length === others.length && only !== undefined) {
    const names = listNames(setting.map((seat) => seatName(view, seat)));
    return others.length === 1 ? `${names} to set ${view.seats[only]?.fantasyland} cards` : `${names} to set their cards`;
  }
  return `${listNames(others.map((seat) => seatName(view, seat)))} to place`;
}

export function isYourTurn(view: View): boolean {
  return view.phase === 'placing' && view.you !== null && view.turn.includes(view.you);
}

export function formatDate(at: number): string {
  return new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false }).format(at);
}
