/** Hands as a link carries them. */
import type { TypedHand } from './protocol';
import { ROWS, ROW_SIZE, type Card, type Row } from './deck';

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

/** A hand with what was typed put over it: what the text leaves out stays as it was, for players of the same name or else place. */
export function typedOver(now: HandText, typed: TypedHand): HandText {
  const plain = (name: string): string => name.trim().toLowerCase();
  const before = typed.players.map(({ name }, index) => (name === null ? now.players[index] : now.players.find((one) => plain(one.name) === plain(name))));
  const holder = now.button === null ? undefined : now.players[now.button];
  const button = holder ? before.indexOf(holder) : -1;
  return {
    rules: typed.rules ?? now.rules,
    own: typed.rules === null ? now.own : '',
    price: typed.price ?? now.price,
    button: typed.button ?? (button < 0 ? null : button),
    players: typed.players.map(({ name, stack, ...board }, index) => ({
      ...board, name: name ?? before[index]?.name ?? `Player ${index + 1}`, stack: stack ?? before[index]?.stack ?? null,
    })),
  };
}

/** "QsQh4c.AsAd….KcKd…" to rows; null for anything else. */
function readRows(text: string): Record<Row, Card[]> | null {
  const rows: Record<Row, Card[]> = { top: [], middle: [], bottom: [] };
  const parts = text.replace(/\s/g, '').split('.');
  for (const [index, row] of ROWS.entries()) {
    const part = parts[index] ?? '';
    rows[row] = part.match(/../g) ?? [];
    if (!/^(?:[2-9TJQKA][shdc])*$/.test(part) || rows[row].length > ROW_SIZE[row]) return null;
  }
  return parts.length > ROWS.length ? null : rows;
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
  const players = boards.slice(0, 4).map((text) => {
    const [name = '', rows = '', ...more] = text.split(SEPARATOR);
    const noted = (letter: string) => number(more.find((part) => part.startsWith(letter))?.slice(1) ?? null);
    return { name, rows: readRows(rows), fantasyland: noted('f') ?? 0, stack: noted('s') };
  });
  const read = players.filter((player): player is BoardText => player.rows !== null);
  return read.length < players.length
    ? null
    : { rules: fields.get('rules'), own: fields.get('own') ?? '', price: number(fields.get('price')), button: number(fields.get('button')), players: read };
}
