import type { Attachment } from 'svelte/attachments';

/** Squeezes a line sideways until it fits its parent: fonts differ in width from hall to hall. */
export function fit(text: string): Attachment<HTMLElement> {
  return (line) => {
    const parent = line.parentElement;
    if (!parent || text === '') return;
    const measure = (): void => {
      line.style.scale = '';
      const style = getComputedStyle(parent);
      const room = parent.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const width = line.offsetWidth;
      if (width > room) line.style.scale = `${room / width} 1`;
    };
    const watcher = new ResizeObserver(measure);
    watcher.observe(parent);
    measure();
    return () => watcher.disconnect();
  };
}
