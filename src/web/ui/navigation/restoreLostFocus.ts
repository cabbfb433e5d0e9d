// When the focused element disappears, focuses what took its place. Otherwise keyboard and screen
// reader users would start at the top after every deletion.

/**
 * The focused element and its ancestors, innermost first, each with its index among its siblings.
 */
type FocusPath = {
  element: HTMLElement;
  dialog: Element | null;
  steps: { parent: Element; index: number; isListItem: boolean }[];
};

/**
 * No input fields: they would open a phone's keyboard. A paragraph that replaces a button can have
 * the focus.
 */
const focusable = 'a[href], button:not(:disabled), p[tabindex]';

/** Watches the page. The element with the id `fallback` gets the focus if nothing else can. */
export function restoreLostFocus(fallback: string) {
  /** The last focus in the page and in each open dialog, newest last. */
  let paths: FocusPath[] = [];
  /** A busy button is disabled and loses the focus. */
  let busy: HTMLElement | undefined;
  let isScheduled = false;

  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    const path = createPath(target);
    paths = [...paths.filter(({ dialog }) => isConnected(dialog) && dialog !== path.dialog), path];
    busy = undefined;
  });

  // A click on the background clears focus on purpose; do not restore it.
  document.addEventListener('mouseup', () => {
    if (document.activeElement === document.body) paths = [];
  });

  const restoreFocus = () => {
    isScheduled = false;
    if (paths.length === 0 || document.activeElement !== document.body) return;
    const path = paths.findLast(({ dialog }) => isConnected(dialog));
    const remaining = path?.element.isConnected ? path.element : undefined;
    if (remaining?.matches(':disabled')) return;
    const isDialogGone = path !== paths.at(-1);
    if (remaining && !isDialogGone && remaining !== busy) return;
    const next = remaining ?? (path && findNextFocus(path)) ?? document.getElementById(fallback);
    next?.focus({ preventScroll: true });
  };

  // Wait a frame, because navigation and closing dialogs move the focus themselves.
  new MutationObserver(() => {
    const last = paths.at(-1)?.element;
    if (last?.matches(':disabled')) busy = last;
    if (isScheduled || document.activeElement !== document.body) return;
    isScheduled = true;
    requestAnimationFrame(restoreFocus);
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
}

const isConnected = (dialog: Element | null) => dialog === null || dialog.isConnected;

function createPath(element: HTMLElement): FocusPath {
  const steps: FocusPath['steps'] = [];
  for (let child: Element = element; child.parentElement; child = child.parentElement) {
    const parent = child.parentElement;
    steps.push({ parent, index: [...parent.children].indexOf(child), isListItem: child.matches('li, tr') });
  }
  return { element, dialog: element.closest('[role="dialog"]'), steps };
}

/** Returns the next or last item of a list, otherwise the nearest element before or after. */
function findNextFocus({ steps }: FocusPath): HTMLElement | undefined {
  for (const { parent, index, isListItem } of steps) {
    if (!parent.isConnected) continue;
    const siblings = [...parent.children];
    const found = isListItem
      ? listFocusable([siblings[index] ?? siblings.at(-1) ?? parent])[0]
      : (listFocusable(siblings.slice(0, index)).at(-1) ?? listFocusable(siblings.slice(index))[0]);
    if (found || parent.matches('main')) return found;
  }
  return undefined;
}

const listFocusable = (elements: Element[]) =>
  elements
    .flatMap((element) => [element, ...element.querySelectorAll('*')])
    .filter((one): one is HTMLElement => one.matches(focusable) && one.checkVisibility());
