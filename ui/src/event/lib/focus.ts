/** What may take the focus over from something in it that is gone. */
const HOLDERS = '.panel-body, dialog[open], aside, main';

/**
 * Keeps the place of whoever uses a keyboard: when what had the focus is gone, it goes to what is around it, else to the
 * page's main part, instead of the page's beginning. Returns how to stop.
 */
export function keepFocus(): () => void {
  let last: Element | null = null;
  let around: Element[] = [];

  function remember({ target }: FocusEvent): void {
    if (!(target instanceof Element)) return;
    last = target;
    around = [];
    for (let one = target.parentElement; one; one = one.parentElement) around.push(one);
  }

  function carryOn(): void {
    if (!last || last.isConnected || document.activeElement !== document.body) return;
    last = null;
    const next = around.find((one) => one.isConnected && one.matches(HOLDERS)) ?? document.querySelector('.panel-body') ?? document.querySelector('main');
    if (!(next instanceof HTMLElement)) return;
    if (!next.hasAttribute('tabindex') && next.tagName !== 'DIALOG') next.tabIndex = -1;
    next.focus({ preventScroll: true });
  }

  const watcher = new MutationObserver(carryOn);
  watcher.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('focusin', remember);
  return () => {
    watcher.disconnect();
    document.removeEventListener('focusin', remember);
  };
}
