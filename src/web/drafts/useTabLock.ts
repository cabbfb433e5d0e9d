import { useEffect, useState } from 'react';

/** A longer wait means that another tab holds the lock, not a page that is reloading. */
const waitMs = 400;

const { locks } = navigator as { locks?: LockManager };

/**
 * Whether this tab holds the lock `name` of this browser. The first tab holds it while mounted;
 * then the next one focused gets it, and `takeOver` takes it at once. Undefined while pending.
 * Without the Locks API every tab holds it.
 */
export function useTabLock(name: string) {
  const [isHeld, setHeld] = useState<boolean | undefined>(locks ? undefined : true);
  const [takeoverCount, setTakeoverCount] = useState(0);

  useEffect(() => {
    if (!locks) return;
    const unmount = new AbortController();
    let isLocked = false;

    const request = (options: LockOptions) => locks.request(name, options, holdLock).catch(handleDenied);
    const wait = () => void request({ signal: AbortSignal.timeout(waitMs) });
    function holdLock() {
      if (unmount.signal.aborted) return;
      isLocked = true;
      setHeld(true);
      return new Promise<void>((resolve) => unmount.signal.addEventListener('abort', () => resolve()));
    }
    function handleDenied(error: Error) {
      if (unmount.signal.aborted) return;
      isLocked = false;
      // Another tab holds it or has taken it over. Other errors mean that the browser grants no
      // locks.
      setHeld(error.name !== 'TimeoutError' && error.name !== 'AbortError');
    }

    if (takeoverCount) void request({ steal: true });
    else wait();
    // Waits before taking a released lock: the other tab may only be reloading.
    window.addEventListener('focus', () => !isLocked && wait(), unmount);
    return () => unmount.abort();
  }, [name, takeoverCount]);

  return { isHeld, takeOver: () => setTakeoverCount(takeoverCount + 1) };
}
