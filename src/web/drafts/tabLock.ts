import { useEffect, useState } from 'react';
import { tabItems } from '../browserItems.ts';

/** A longer wait means that another tab holds the lock, not a page that is reloading. */
const waitMs = 400;

/** A reloaded tab takes back the lock that it held, because another visible tab has got it in between. */
const getHeldKey = (name: string) => `held ${name}`;
const isReloaded = () =>
  performance.getEntriesByType('navigation').some((entry) => (entry as PerformanceNavigationTiming).type === 'reload');

const storeIsHeld = (name: string, isHeld: boolean) => tabItems.write(getHeldKey(name), isHeld ? '1' : undefined);

/** Whether this tab held the lock when it was reloaded; false if the browser stores nothing. */
const wasHeldBeforeReload = (name: string) => isReloaded() && Boolean(tabItems.read(getHeldKey(name)));

// There is no navigator in unit tests.
const { locks } = (globalThis.navigator ?? {}) as { locks?: LockManager };

/**
 * Asks for the lock `name` of this browser. Calls `onChange` with whether this tab holds it. The first tab holds it
 * until it calls the returned function or is closed; then a visible one gets it. With `isTakenOver` this tab takes it
 * at once. Without the Locks API every tab holds it.
 */
export function holdTabLock(name: string, onChange: (isHeld: boolean) => void, isTakenOver = false): () => void {
  if (!locks) {
    onChange(true);
    return () => {};
  }
  const end = new AbortController();
  const { signal } = end;
  let isRequested = false;
  let isKnown = false;
  const timer = setTimeout(async () => {
    // On a slow device the lock may be on its way. It is here before this answer.
    await locks.query().catch(() => undefined);
    if (!isKnown && !signal.aborted) onChange(false);
  }, waitMs);
  const setHeld = (isHeld: boolean) => {
    isKnown = true;
    storeIsHeld(name, isHeld);
    onChange(isHeld);
  };

  const request = (options: LockOptions) => {
    isRequested = true;
    return locks.request(name, options, holdLock).catch(handleDenied);
  };
  const wait = () => {
    if (!isRequested && document.visibilityState === 'visible') void request({ signal });
  };
  async function holdLock() {
    // A hidden tab leaves the lock to others, such as a tab that was only reloaded.
    isRequested = signal.aborted || document.visibilityState === 'visible';
    if (signal.aborted || !isRequested) return;
    setHeld(true);
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  }
  function handleDenied(error: Error) {
    if (signal.aborted) return;
    isRequested = false;
    // Another tab has taken it over. Other errors mean that the browser grants no locks.
    const isTakenByOther = error.name === 'AbortError';
    setHeld(!isTakenByOther);
    if (isTakenByOther) wait();
  }

  if (isTakenOver || wasHeldBeforeReload(name)) void request({ steal: true });
  else wait();
  document.addEventListener('visibilitychange', wait, { signal });
  return () => {
    clearTimeout(timer);
    storeIsHeld(name, false);
    end.abort();
  };
}

/** Whether this tab holds the lock `name`, while mounted; undefined while pending. `takeOver` takes it at once. */
export function useTabLock(name: string) {
  const [isHeld, setHeld] = useState<boolean | undefined>(locks ? undefined : true);
  const [takeoverCount, setTakeoverCount] = useState(0);
  useEffect(() => holdTabLock(name, setHeld, takeoverCount > 0), [name, takeoverCount]);
  return { isHeld, takeOver: () => setTakeoverCount(takeoverCount + 1) };
}
