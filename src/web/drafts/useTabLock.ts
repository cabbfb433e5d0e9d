import { useEffect, useState } from 'react';

/** Whoever waits longer than this waits for another tab, and not for a page that is just being loaded anew. */
const waitMs = 400;

const { locks } = navigator as { locks?: LockManager };

/**
 * Whether this tab is the one of this browser that has `name`. The first has it for as long as it shows it; then the one that is
 * looked at next gets it, and `takeOver` brings it here at once. Undefined while that is being found out. Where the browser gives
 * no locks, every tab has it.
 */
export function useTabLock(name: string) {
  const [isHeld, setHeld] = useState<boolean | undefined>(locks ? undefined : true);
  const [takeovers, setTakeovers] = useState(0);

  useEffect(() => {
    if (!locks) return;
    const left = new AbortController();
    let isLocked = false;

    const request = (options: LockOptions) => locks.request(name, options, hold).catch(handleDenied);
    const wait = () => void request({ signal: AbortSignal.timeout(waitMs) });
    function hold() {
      if (left.signal.aborted) return;
      isLocked = true;
      setHeld(true);
      return new Promise<void>((resolve) => left.signal.addEventListener('abort', () => resolve()));
    }
    function handleDenied(error: Error) {
      if (left.signal.aborted) return;
      isLocked = false;
      // Another tab has it, or has just taken it. All else is a browser that gives no locks to anyone.
      setHeld(error.name !== 'TimeoutError' && error.name !== 'AbortError');
    }

    if (takeovers) void request({ steal: true });
    else wait();
    // Not at once when it is free: its tab may only be loading anew.
    window.addEventListener('focus', () => !isLocked && wait(), left);
    return () => left.abort();
  }, [name, takeovers]);

  return { isHeld, takeOver: () => setTakeovers(takeovers + 1) };
}
