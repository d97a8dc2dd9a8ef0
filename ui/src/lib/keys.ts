/** Keys by name, lower case; a handler that returns false leaves the key to the browser. */
export type KeyMap = Record<string, () => boolean | void>;

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

/** No key acts with a modifier, while a field has the focus, or behind an open dialog. */
export function handleKeys(event: KeyboardEvent, keys: KeyMap): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
  const handler = keys[event.key.toLowerCase()];
  if (handler && handler() !== false) event.preventDefault();
}

/** What "?" shows. */
export const KEY_HELP: readonly (readonly [string, string])[] = [
  ['1 – 9', 'choose a card'],
  ['Q  A  Z', 'to the top, middle, bottom'],
  ['X', 'discard the chosen card'],
  ['U', 'undo'],
  ['Enter', 'confirm; after the showdown: next hand'],
  ['Esc', 'let go'],
  ['← →  Space', 'in Fantasyland: move, choose'],
  ['R', 'sort by rank or suit'],
  ['S', 'after the showdown: stay'],
  ['← →', 'in a replay: step'],
  ['M', 'sound on or off'],
  ['?', 'this map'],
];
