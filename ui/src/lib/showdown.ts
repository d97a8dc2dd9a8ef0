/** The result of a hand, put into the words the showdown shows. Every number is the server's. */
import { ROWS, type PairResult, type PlayerResult, type Result, type Row, type View } from './protocol';
import { formatNumber, formatSigned, seatName } from './words';

export interface RowLine {
  row: Row;
  /** 1: the left won, -1: the right won, 0: neither. */
  won: number;
}

/** A pair as it is shown: the viewer, if in it, on the left, and all numbers seen from the left. */
export interface PairShown {
  left: PlayerResult;
  right: PlayerResult;
  leftName: string;
  rightName: string;
  rows: RowLine[];
  rowPoints: number;
  scoop: number;
  royalties: number;
  points: number;
  chips: number | null;
  capped: string | null;
  yours: boolean;
}

function player(result: Result, seat: number): PlayerResult {
  const found = result.players.find((candidate) => candidate.seat === seat);
  if (!found) throw new Error(`No result for seat ${seat}`);
  return found;
}

function cappedText(view: View, pair: PairResult): string | null {
  if (!pair.capped_by || pair.chips === null) return null;
  const winner = pair.points > 0 ? pair.a : pair.b;
  const loser = pair.points > 0 ? pair.b : pair.a;
  const name = seatName(view, pair.capped_by === 'winner' ? winner : loser);
  return `capped: ${name} had ${formatNumber(Math.abs(pair.chips))} chips left`;
}

function shown(view: View, result: Result, pair: PairResult): PairShown {
  const turned = pair.b === view.you;
  const sign = (value: number): number => (turned && value !== 0 ? -value : value);
  const [left, right] = turned ? [pair.b, pair.a] : [pair.a, pair.b];
  return {
    left: player(result, left),
    right: player(result, right),
    leftName: seatName(view, left),
    rightName: seatName(view, right),
    rows: ROWS.map((row) => ({ row, won: sign(pair.rows[row]) })),
    rowPoints: sign(ROWS.reduce((sum, row) => sum + pair.rows[row], 0)),
    scoop: sign(pair.scoop),
    royalties: sign(pair.royalties),
    points: sign(pair.points),
    chips: pair.chips === null ? null : sign(pair.chips),
    capped: cappedText(view, pair),
    yours: pair.a === view.you || turned,
  };
}

/** The viewer's pairs first, each group in the order of settlement. */
export function pairsShown(view: View): PairShown[] {
  const { result } = view;
  if (!result) return [];
  const pairs = result.pairs.map((pair) => shown(view, result, pair));
  return [...pairs.filter((pair) => pair.yours), ...pairs.filter((pair) => !pair.yours)];
}

export function rowsText(pair: PairShown): string {
  if (pair.left.fouled && pair.right.fouled) return 'both fouled';
  if (pair.left.fouled || pair.right.fouled) return 'a foul loses all';
  const won = pair.rows.filter((line) => line.won > 0).length;
  const lost = pair.rows.filter((line) => line.won < 0).length;
  const tied = pair.rows.length - won - lost;
  return [won && `${won} won`, lost && `${lost} lost`, tied && `${tied} tied`].filter(Boolean).join(', ');
}

export function scoopText(pair: PairShown): string {
  if (pair.scoop !== 0) return 'all three';
  return pair.left.fouled && pair.right.fouled ? 'none' : 'not all three';
}

export function royaltiesText(pair: PairShown): string {
  return `${formatNumber(pair.left.royalties.total)} \u2212 ${formatNumber(pair.right.royalties.total)}`;
}

export function winnerText(pair: PairShown): string {
  if (pair.points === 0) return 'even';
  const name = pair.points > 0 ? pair.leftName : pair.rightName;
  return name === 'You' ? 'you win' : `${name} wins`;
}

/** "3 rows + 3 scoop + 11 royalties", seen from the winner, for a closed pair. */
export function pairLine(pair: PairShown): string {
  const sign = pair.points < 0 ? -1 : 1;
  const parts = [
    [pair.rowPoints, Math.abs(pair.rowPoints) === 1 ? 'row' : 'rows'],
    [pair.scoop, 'scoop'],
    [pair.royalties, Math.abs(pair.royalties) === 1 ? 'royalty' : 'royalties'],
  ] as const;
  const told = parts.filter(([value]) => value !== 0).map(([value, word]) => `${formatNumber(value * sign)} ${word}`);
  const text = told.length > 0 ? told.join(' + ').replaceAll('+ \u2212', '\u2212 ') : 'nothing won or lost';
  const winner = pair.points < 0 ? pair.rightName : pair.leftName;
  return winner === 'You' || pair.points === 0 ? text : `${winner}: ${text}`;
}

/** "+6 from Jonas, −17 to Wen" */
export function exchanges(view: View, seat: number): string {
  const pairs = view.result?.pairs.filter((pair) => pair.a === seat || pair.b === seat) ?? [];
  return pairs
    .map((pair) => {
      const amount = view.unit === 'chips' ? (pair.chips ?? 0) : pair.points;
      const mine = pair.a === seat ? amount : amount === 0 ? 0 : -amount;
      const other = seatName(view, pair.a === seat ? pair.b : pair.a);
      const name = other === 'You' ? 'you' : other;
      if (mine === 0) return `even with ${name}`;
      return `${formatSigned(mine)} ${mine < 0 ? 'to' : 'from'} ${name}`;
    })
    .join(', ');
}

export interface Going {
  yours: boolean;
  title: string;
  text: string;
}

/** Who goes to Fantasyland or stays, with how many cards; the viewer first. */
export function goings(view: View): Going[] {
  const going = (view.result?.players ?? [])
    .filter((candidate) => candidate.fantasyland_next > 0)
    .map((candidate): Going => {
      const stays = (view.seats[candidate.seat]?.fantasyland ?? 0) > 0;
      const yours = candidate.seat === view.you;
      const name = seatName(view, candidate.seat);
      const verb = stays ? (yours ? 'stay in' : 'stays in') : yours ? 'go to' : 'goes to';
      return {
        yours,
        title: `${name} ${verb} Fantasyland.`,
        text: `${yours ? 'Next hand you get' : 'Next hand:'} ${candidate.fantasyland_next} cards at once.`,
      };
    });
  return [...going.filter((one) => one.yours), ...going.filter((one) => !one.yours)];
}

export function buttonText(view: View): string | null {
  const next = view.result?.button_next;
  if (next === null || next === undefined) return null;
  const name = seatName(view, next);
  const whom = name === 'You' ? 'you' : name;
  return next === view.button ? `The button stays with ${whom}.` : `The button moves to ${whom}.`;
}
