/** Hands as people write them, and as a link carries them. */
import { readCards, ROWS, ROW_SIZE, type Card, type Row } from './deck';

export interface BoardText {
  name: string;
  rows: Record<Row, Card[]>;
  fantasyland: number;
  stack: number | null;
}

export interface HandText {
  rules: string | null;
  /** A rule set of one's own, as text. */
  own: string;
  price: number | null;
  /** A player's place. */
  button: number | null;
  players: BoardText[];
}

/** What a text of a hand could not be read for; fit to be shown. */
export class HandTextError extends Error {}

const emptyRows = (): Record<Row, Card[]> => ({ top: [], middle: [], bottom: [] });
const whole = (text: string): number | null => (/^[\d,.'\s]+$/.test(text) ? Number(text.replace(/\D/g, '')) : null);

function readRows(text: string, where: string): Record<Row, Card[]> {
  const rows = emptyRows();
  const parts = text.split(/[/|]/).map((part) => part.replace(/^\s*(top|middle|bottom)\s*:/i, ''));
  const cards = parts.map((part) => readCards(part));
  const bad = cards.findIndex((found) => found === null);
  if (bad >= 0) throw new HandTextError(`${where}: “${parts[bad]?.trim()}” is not a row of cards.`);
  const split = parts.length === 1 ? [cards[0]?.slice(0, 3), cards[0]?.slice(3, 8), cards[0]?.slice(8)] : cards;
  if (split.length > 3) throw new HandTextError(`${where}: ${split.length} rows; there are three.`);
  ROWS.forEach((row, index) => {
    rows[row] = split[index] ?? [];
    if (rows[row].length > ROW_SIZE[row]) throw new HandTextError(`${where}: ${rows[row].length} cards in the ${row}.`);
  });
  return rows;
}

/** "Anna (stack 2,000, 15 cards, button)" apart. */
function readName(text: string): { name: string; fantasyland: number; stack: number | null; button: boolean } {
  const [, name = '', inside = ''] = /^([^(]*)(?:\(([^)]*)\))?/.exec(text) ?? [];
  let fantasyland = 0;
  let stack: number | null = null;
  let button = false;
  for (const note of inside.replace(/(\d)[,.](\d{3})/g, '$1$2').split(',')) {
    const number = Number(/\d+/.exec(note)?.[0] ?? NaN);
    if (/button/i.test(note)) button = true;
    else if (/stack|chips/i.test(note) && Number.isFinite(number)) stack = number;
    else if (/cards|fantasyland|fl/i.test(note) && Number.isFinite(number)) fantasyland = number;
  }
  return { name: name.trim(), fantasyland, stack, button };
}

/** Reads "Anna: Qs Qh 4c / As Ad 8d 8c 5h / Kc Kd Kh 9s 9h", a player a line, settings before them. */
export function readHandText(text: string): HandText {
  const hand: HandText = { rules: null, own: '', price: null, button: null, players: [] };
  let buttonName: string | null = null;
  for (const line of text.split('\n').map((one) => one.trim()).filter(Boolean)) {
    const [, key = '', value = ''] = /^(rules|price|button|dealer|date|dealt on)\s*:\s*(.*)$/i.exec(line) ?? [];
    if (/^rules$/i.test(key)) hand.rules = value;
    else if (/^price$/i.test(key)) hand.price = whole(value);
    else if (/^(button|dealer)$/i.test(key)) buttonName = value;
    else if (!key) readLine(hand, line);
  }
  if (hand.players.length === 0) throw new HandTextError('There is no board in this text.');
  if (buttonName !== null) {
    const found = hand.players.findIndex((player) => player.name.toLowerCase() === buttonName?.toLowerCase());
    hand.button = found >= 0 ? found : null;
  }
  return hand;
}

function readLine(hand: HandText, line: string): void {
  const [, label, boards] = /^([^:/|]*?(?:\([^)]*\))?)\s*:\s*(.*)$/.exec(line) ?? [];
  const row = ROWS.find((one) => one === label?.trim().toLowerCase());
  const last = hand.players.at(-1);
  if (row && last) {
    last.rows[row] = readCards(boards ?? '') ?? [];
    return;
  }
  const { button, ...rest } = readName(label ?? '');
  const where = rest.name || `Player ${hand.players.length + 1}`;
  if (button) hand.button = hand.players.length;
  hand.players.push({ ...rest, name: rest.name, rows: boards || !label ? readRows(boards ?? line, where) : emptyRows() });
}

const SEPARATOR = '*';

/** The part of an address after #: `rules=tournament&price=60&p=Ana*Qs Qh 4c.As Ad…*f14*s620`, blanks left out. */
export function toFragment(hand: HandText): string {
  const fields = new URLSearchParams();
  if (hand.own) fields.set('own', hand.own);
  else if (hand.rules) fields.set('rules', hand.rules);
  if (hand.price !== null) fields.set('price', String(hand.price));
  if (hand.button !== null) fields.set('button', String(hand.button));
  for (const player of hand.players) {
    const parts = [player.name.replaceAll(SEPARATOR, ''), ROWS.map((row) => player.rows[row].join('')).join('.')];
    if (player.fantasyland > 0) parts.push(`f${player.fantasyland}`);
    if (player.stack !== null) parts.push(`s${player.stack}`);
    fields.append('p', parts.join(SEPARATOR));
  }
  return fields.toString();
}

/** What `toFragment` wrote; null for anything else. */
export function fromFragment(fragment: string): HandText | null {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const boards = fields.getAll('p');
  if (boards.length === 0) return null;
  const number = (text: string | null) => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null);
  try {
    return {
      rules: fields.get('rules'),
      own: fields.get('own') ?? '',
      price: number(fields.get('price')),
      button: number(fields.get('button')),
      players: boards.slice(0, 4).map((text) => {
        const [name = '', rows = '', ...more] = text.split(SEPARATOR);
        const noted = (letter: string) => number(more.find((part) => part.startsWith(letter))?.slice(1) ?? null);
        return { name, rows: readRows(rows.replaceAll('.', '/'), name), fantasyland: noted('f') ?? 0, stack: noted('s') };
      }),
    };
  } catch {
    return null;
  }
}
