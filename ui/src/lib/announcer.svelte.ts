import { cardName, placementsInWords } from './cards';
import type { LogEntry, View } from './protocol';
import { awaited, cardsWord, countWord, formatNumber, formatSigned, isYourTurn, listNames, seatName, unitWord } from './words';

const GATHER_MS = 120;

/** What the one polite live region says. Messages that come together are said together. */
class Announcer {
  text = $state('');
  #pending: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  say(...messages: string[]): void {
    this.#pending.push(...messages.filter(Boolean));
    if (this.#pending.length === 0) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.text = this.#pending.map((message) => message.replace(/\.$/, '')).join('. ') + '.';
      this.#pending = [];
    }, GATHER_MS);
  }
}

export const announcer = new Announcer();

export function entryInWords(view: View, entry: LogEntry): string {
  const name = seatName(view, entry.seat);
  if (entry.hidden || entry.placements.length === 0) return `${name} set Fantasyland, face down`;
  return `${name}: ${placementsInWords(entry.placements)}${entry.forced ? ', placed by the clock' : ''}`;
}

function turnInWords(view: View): string {
  if (!isYourTurn(view)) return awaited(view);
  const cards = view.cards.map(cardName).join(', ');
  const own = view.you === null ? undefined : view.seats[view.you];
  if (own?.fantasyland) return `Fantasyland. Set ${view.to_place} of your ${view.cards.length} cards: ${cards}`;
  return `Your turn. Place ${countWord(view.to_place)} ${cardsWord(view.to_place)} of: ${cards}`;
}

export function resultInWords(view: View): string[] {
  const { result, unit } = view;
  if (!result) return [];
  const totals = result.players.map((player) => {
    const amount = unit === 'chips' ? (player.chips ?? 0) : player.points;
    const foul = player.fouled ? ', foul' : '';
    return `${seatName(view, player.seat)} ${formatSigned(amount)} ${unitWord(amount, unit)}${foul}`;
  });
  const going = result.players
    .filter((player) => player.fantasyland_next > 0)
    .map((player) => {
      const own = player.seat === view.you;
      return `${seatName(view, player.seat)} ${own ? 'play' : 'plays'} Fantasyland with ${player.fantasyland_next} cards next`;
    });
  return [`Showdown: ${totals.join(', ')}`, ...going];
}

function matchInWords(view: View): string {
  const match = view.match;
  if (!match?.hands) return 'The match is over';
  const winners = match.places.flatMap((place, seat) => (place === 1 ? [seat] : []));
  const names = listNames(winners.map((seat) => seatName(view, seat)));
  const standing = view.seats[winners[0] ?? 0]?.standing ?? 0;
  const score = view.unit === 'points' ? formatSigned(standing) : formatNumber(standing);
  return `The match is over. ${names} first with ${score} ${view.unit}`;
}

/** What a listener needs to hear of the step from one view to the next. */
export function announceChange(before: View | null, view: View): void {
  const messages: string[] = [];
  const sameHand = before !== null && before.hand === view.hand && before.phase !== 'over';
  const heard = sameHand ? before.log.length : 0;
  if (before) {
    if (!sameHand && view.phase === 'placing') messages.push(`Hand ${view.hand}`);
    const news = view.log.slice(heard).filter((entry) => entry.seat !== view.you);
    messages.push(...news.map((entry) => entryInWords(view, entry)));
  }
  if (view.phase === 'placing') {
    const turn = turnInWords(view);
    if (!sameHand || turnInWords(before) !== turn) messages.push(turn);
  } else if (before?.phase !== view.phase) {
    if (view.phase === 'showdown' || before?.phase === 'placing') messages.push(...resultInWords(view));
    if (view.phase === 'over') messages.push(matchInWords(view));
  }
  announcer.say(...messages);
}
