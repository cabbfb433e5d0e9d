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

const { locks } = navigator as { locks?: LockManager };

/**
 * Whether this tab holds the lock `name` of this browser. The first tab holds it while mounted;
 * when it is closed, a visible one gets it, and `takeOver` takes it at once. Undefined while
 * pending. Without the Locks API every tab holds it.
 */
export function useTabLock(name: string) {
  const [isHeld, setHeld] = useState<boolean | undefined>(locks ? undefined : true);
  const [takeoverCount, setTakeoverCount] = useState(0);

  useEffect(() => {
    if (!locks) return;
    const unmount = new AbortController();
    const { signal } = unmount;
    let isRequested = false;
    const timer = setTimeout(() => setHeld((isHeld) => isHeld ?? false), waitMs);

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
      storeIsHeld(name, true);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    }
    function handleDenied(error: Error) {
      if (signal.aborted) return;
      isRequested = false;
      // Another tab has taken it over. Other errors mean that the browser grants no locks.
      const isTakenOver = error.name === 'AbortError';
      setHeld(!isTakenOver);
      storeIsHeld(name, false);
      if (isTakenOver) wait();
    }

    if (takeoverCount || wasHeldBeforeReload(name)) void request({ steal: true });
    else wait();
    document.addEventListener('visibilitychange', wait, { signal });
    return () => {
      clearTimeout(timer);
      storeIsHeld(name, false);
      unmount.abort();
    };
  }, [name, takeoverCount]);

  return { isHeld, takeOver: () => setTakeoverCount(takeoverCount + 1) };
}
