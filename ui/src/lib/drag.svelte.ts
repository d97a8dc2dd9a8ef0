import type { Attachment } from 'svelte/attachments';
import type { Place } from './arrangement.svelte';
import type { Card } from './protocol';

const THRESHOLD_PX = 7;

export type DropPlace = Place | 'tray';

/** What is being dragged with a mouse, a finger or a pen. */
class Drag {
  cards = $state.raw<Card[]>([]);
  over = $state<DropPlace | null>(null);
  x = $state(0);
  y = $state(0);
  width = $state(0);
  active = $derived(this.cards.length > 0);

  move(event: PointerEvent): void {
    this.x = event.clientX;
    this.y = event.clientY;
    this.over = placeAt(event.clientX, event.clientY);
  }

  end(): DropPlace | null {
    const place = this.over;
    this.cards = [];
    this.over = null;
    return place;
  }
}

export const drag = new Drag();

/** Elements say with data-drop what dropping a card on them means. */
function placeAt(x: number, y: number): DropPlace | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const place = element.closest<HTMLElement>('[data-drop]')?.dataset.drop;
    if (place) return place as DropPlace;
  }
  return null;
}

export interface DragHandlers {
  /** The cards this drag takes along; none: no drag. */
  begin: () => Card[];
  drop: (place: DropPlace | null, cards: Card[]) => void;
}

/** Makes an element draggable. A press that hardly moves stays a click. */
export function draggable({ begin, drop }: DragHandlers): Attachment<HTMLElement> {
  return (node) => {
    let from: { x: number; y: number } | null = null;
    let mine = false;
    let swallow = false;

    const down = (event: PointerEvent) => {
      swallow = false;
      if (event.button !== 0 || !event.isPrimary || drag.active) return;
      from = { x: event.clientX, y: event.clientY };
      node.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent) => {
      if (!from) return;
      if (!mine) {
        if (Math.hypot(event.clientX - from.x, event.clientY - from.y) < THRESHOLD_PX) return;
        const cards = begin();
        if (cards.length === 0) {
          from = null;
          return;
        }
        mine = true;
        drag.cards = cards;
        drag.width = node.offsetWidth;
      }
      drag.move(event);
    };
    const finish = (dropped: boolean) => {
      from = null;
      if (!mine) return;
      mine = false;
      swallow = true;
      const { cards } = drag;
      const place = drag.end();
      drop(dropped ? place : null, cards);
    };
    const up = () => finish(true);
    const cancel = () => finish(false);
    const click = (event: MouseEvent) => {
      if (!swallow) return;
      swallow = false;
      event.preventDefault();
      event.stopImmediatePropagation();
    };

    node.addEventListener('pointerdown', down);
    node.addEventListener('pointermove', move);
    node.addEventListener('pointerup', up);
    node.addEventListener('pointercancel', cancel);
    node.addEventListener('click', click, true);
    return () => {
      if (mine) drag.end();
      node.removeEventListener('pointerdown', down);
      node.removeEventListener('pointermove', move);
      node.removeEventListener('pointerup', up);
      node.removeEventListener('pointercancel', cancel);
      node.removeEventListener('click', click, true);
    };
  };
}

/** Clicks that bubble up to a group, which is no control of its own: the controls are inside. */
export function tap(handler: (event: MouseEvent) => void): Attachment<HTMLElement> {
  return (node) => {
    node.addEventListener('click', handler);
    return () => node.removeEventListener('click', handler);
  };
}
