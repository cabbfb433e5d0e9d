// Functions that run in the page. They may use each other, but nothing else from this repository.
import { countDraftPhotos } from '../drafts.ts';

function getControlName(element: HTMLElement) {
  const labels = [
    ...(element.getAttribute('aria-labelledby')?.split(' ') ?? []).map((id) => document.getElementById(id)),
    ...((element as HTMLInputElement).labels ?? []),
  ];
  const text = labels.map((label) => label?.textContent).join(' ') || element.textContent;
  // Required fields have an asterisk.
  return (element.getAttribute('aria-label') ?? text).replace(/\*/g, '').trim();
}

/** The control whose name matches the pattern: in the topmost dialog if one is open. */
function findControl(pattern: string) {
  const isShown = (element: Element) => element.getClientRects().length > 0;
  const scope = [...document.querySelectorAll('[role=dialog]')].findLast(isShown) ?? document;
  const controls = scope.querySelectorAll<HTMLInputElement>('input, textarea, select, button, a[href], [role=img]');
  return [...controls].find((control) => isShown(control) && new RegExp(pattern).test(getControlName(control)));
}

/** The position of a control, once nothing moves or covers it. */
function findBox(pattern: string) {
  const control = findControl(pattern);
  const isMoving = document.getAnimations().some(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  if (!control || control.matches(':disabled') || isMoving) return null;
  control.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { x, y, width, height } = control.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  const isCovered = !control.contains(top) && ![...(control.labels ?? [])].some((label) => label.contains(top));
  return isCovered ? null : { x, y, width, height };
}

function readValue(pattern: string) {
  return findControl(pattern)?.value;
}

/** Dispatches the events of typing or choosing, to which React listens. */
function setValue(pattern: string, value: string) {
  const control = findControl(pattern);
  const text =
    control instanceof HTMLSelectElement ? [...control.options].find((option) => option.text === value) : null;
  const type = control && Object.getPrototypeOf(control);
  Object.getOwnPropertyDescriptor(type, 'value')?.set?.call(control, text?.value ?? value);
  for (const event of ['input', 'change']) control?.dispatchEvent(new Event(event, { bubbles: true }));
}

/** Waits for the end of the document, because its body is missing at first. */
async function readText() {
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }));
  return document.body.innerText;
}

function readPath() {
  return window.location.pathname;
}

/** Whether the app opens offline from now on. */
async function hasServiceWorker() {
  const registration = await navigator.serviceWorker.getRegistration();
  return Boolean(registration?.active);
}

/** Stores drafts that the app deletes one after the other when it is next opened. */
function addOldDrafts(count: number) {
  return new Promise<void>((resolve, reject) => {
    const opening = indexedDB.open('drafts', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('drafts', { keyPath: 'key' });
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('drafts', 'readwrite');
      const store = transaction.objectStore('drafts');
      for (let index = 0; index < count; index++) store.put({ key: `draft/old/${index}`, keptAt: 1 });
      transaction.oncomplete = () => resolve(opening.result.close());
      transaction.onerror = () => reject(transaction.error);
    };
  });
}

/** Whether drafts cannot be read at once, because another transaction is open. */
function isDatabaseBusy() {
  return new Promise<boolean>((resolve) => {
    const opening = indexedDB.open('drafts', 1);
    opening.onsuccess = () => {
      setTimeout(() => resolve(true), 100);
      const transaction = opening.result.transaction('drafts');
      transaction.objectStore('drafts').count();
      transaction.oncomplete = () => resolve(false);
      transaction.commit();
    };
  });
}

const inPage = {
  findBox,
  readValue,
  setValue,
  readText,
  readPath,
  addOldDrafts,
  isDatabaseBusy,
  countDraftPhotos,
  hasServiceWorker,
};

export type InPage = typeof inPage;

const declarations = Object.entries({ getControlName, findControl, ...inPage }).map(
  ([name, fn]) => `const ${name} = ${fn};`,
);

/** A script that calls one of these functions and resolves with its result as JSON. */
export const toScript = (name: keyof InPage, args: unknown[]) =>
  `(async () => {
    ${declarations.join('\n')}
    return JSON.stringify((await ${name}(...${JSON.stringify(args)})) ?? null);
  })()`;
