import type { KeyMap } from './keys';
import type { Row } from './protocol';
import type { TableStore } from './table.svelte';

interface Acts {
  store: () => TableStore;
  hold: () => void;
  sound: () => void;
  help: () => void;
}

const ROW_KEYS: readonly (readonly [string, Row])[] = [['q', 'top'], ['a', 'middle'], ['z', 'bottom']];

/** Moves the focus among the cards of the fan; false when there is no fan. */
function moveInFan(step: number): boolean {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-fan-card]')];
  if (cards.length === 0) return false;
  const at = cards.findIndex((card) => card === document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : cards.length - 1) : (at + step + cards.length) % cards.length;
  cards[next]?.focus();
  return true;
}

/** The keyboard map of the table. */
export function tableKeys({ store, hold, sound, help }: Acts): KeyMap {
  const keys: KeyMap = {};
  for (let number = 1; number <= 9; number += 1) {
    keys[String(number)] = () => {
      const card = store().tray[number - 1];
      const { arrangement } = store();
      if (card === undefined || !store().arranging) return false;
      if (arrangement.placeOf(card)) store().takeBack(card);
      store().choose(card);
      return true;
    };
  }
  for (const [key, row] of ROW_KEYS) keys[key] = () => void store().put(row);
  keys.x = () => void store().put('discard');
  keys.u = () => store().undo();
  keys.r = () => (store().arranging ? store().toggleSort() : false);
  keys.escape = () => store().arrangement.letGo();
  keys.arrowleft = () => moveInFan(-1);
  keys.arrowright = () => moveInFan(1);
  keys.arrowup = () => moveInFan(-Math.ceil(store().tray.length / 2));
  keys.arrowdown = () => moveInFan(Math.ceil(store().tray.length / 2));
  keys.s = () => (store().view?.phase === 'showdown' ? hold() : false);
  keys.m = () => sound();
  keys['?'] = () => help();
  keys.enter = () => enter(store());
  return keys;
}

/** Enter confirms or deals on, unless the focus is on a control that has a use for it. */
function enter(store: TableStore): boolean {
  const focused = document.activeElement;
  const onControl = focused instanceof HTMLElement && focused.matches('button, a, summary');
  const onCard = onControl && focused.closest('[data-testid="tray"], [data-testid="own-board"]') !== null;
  const phase = store.view?.phase;
  if (phase === 'showdown' && !onControl) store.next();
  else if (phase === 'placing' && store.arrangement.complete && (!onControl || onCard)) store.confirm();
  else return false;
  return true;
}
