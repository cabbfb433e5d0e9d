// The focus is never lost: when what has it goes from the page, what takes its place gets it.
// Whoever works by keyboard or by ear would else begin again at the top after every deletion.

/** What had the focus, and where it stood: its ancestors from the inside out, each with its place among its siblings. */
type Trail = {
  element: HTMLElement;
  dialog: Element | null;
  steps: { parent: Element; index: number; isItem: boolean }[];
};

/** No fields: they would open the keyboard of a phone. A sentence that takes a button's place is one that can have the focus. */
const focusable = 'a[href], button:not(:disabled), p[tabindex]';

/** Watches the page for as long as it is open. The element with the id `fallback` gets the focus where nothing else can. */
export function restoreLostFocus(fallback: string) {
  /** The last of the page and of each open dialog, the newest at the end. */
  let trails: Trail[] = [];
  /** A button that is busy is disabled, and loses the focus with that. */
  let busy: HTMLElement | undefined;
  let isLooking = false;

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const trail = createTrail(target);
    trails = [...trails.filter(({ dialog }) => isConnected(dialog) && dialog !== trail.dialog), trail];
    busy = undefined;
  });

  // Whoever clicks beside everything lets go of the focus.
  document.addEventListener('mouseup', () => {
    if (document.activeElement === document.body) trails = [];
  });

  const look = () => {
    isLooking = false;
    if (trails.length === 0 || document.activeElement !== document.body) return;
    const trail = trails.findLast(({ dialog }) => isConnected(dialog));
    const standing = trail?.element.isConnected ? trail.element : undefined;
    if (standing?.matches(':disabled')) return;
    const isDialogGone = trail !== trails.at(-1);
    if (standing && !isDialogGone && standing !== busy) return;
    const next = standing ?? (trail && findNextFocus(trail)) ?? document.getElementById(fallback);
    next?.focus({ preventScroll: true });
  };

  // A frame later: a page that is left and a dialog that closes put the focus where it belongs themselves.
  new MutationObserver(() => {
    const last = trails.at(-1)?.element;
    if (last?.matches(':disabled')) busy = last;
    if (isLooking || document.activeElement !== document.body) return;
    isLooking = true;
    requestAnimationFrame(look);
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
}

const isConnected = (dialog: Element | null) => dialog === null || dialog.isConnected;

function createTrail(element: HTMLElement): Trail {
  const steps: Trail['steps'] = [];
  for (let child: Element = element; child.parentElement; child = child.parentElement) {
    const parent = child.parentElement;
    steps.push({ parent, index: [...parent.children].indexOf(child), isItem: child.matches('li, tr') });
  }
  return { element, dialog: element.closest('[role="dialog"]'), steps };
}

/** Of a list the item that moved up, or the last; else the nearest before it, or after it. */
function findNextFocus({ steps }: Trail): HTMLElement | undefined {
  for (const { parent, index, isItem } of steps) {
    if (!parent.isConnected) continue;
    const left = [...parent.children];
    const found = isItem
      ? listFocusable([left[index] ?? left.at(-1) ?? parent])[0]
      : (listFocusable(left.slice(0, index)).at(-1) ?? listFocusable(left.slice(index))[0]);
    if (found || parent.matches('main')) return found;
  }
  return undefined;
}

const listFocusable = (elements: Element[]) =>
  elements
    .flatMap((element) => [element, ...element.querySelectorAll('*')])
    .filter((one): one is HTMLElement => one.matches(focusable) && one.checkVisibility());
