import { useEffect, useState } from 'react';

/** Whoever waits longer than this waits for another tab, and not for a page that is just being loaded anew. */
const waitMs = 400;

const { locks } = navigator as { locks?: LockManager };

/**
 * Whether this tab is the one of this browser that has `name`. The first has it for as long as it shows it; then the one that is
 * looked at next gets it, and `take` brings it here at once. Undefined while that is being found out. Where the browser gives
 * no locks, every tab has it.
 */
export function useOneTab(name: string) {
  const [isHere, setHere] = useState<boolean | undefined>(locks ? undefined : true);
  const [taken, setTaken] = useState(0);

  useEffect(() => {
    if (!locks) return;
    const left = new AbortController();
    let isHeld = false;

    const ask = (options: LockOptions) => locks.request(name, options, hold).catch(goWithout);
    const wait = () => void ask({ signal: AbortSignal.timeout(waitMs) });
    function hold() {
      if (left.signal.aborted) return;
      isHeld = true;
      setHere(true);
      return new Promise<void>((resolve) => left.signal.addEventListener('abort', () => resolve()));
    }
    function goWithout(error: Error) {
      if (left.signal.aborted) return;
      isHeld = false;
      // Another tab has it, or has just taken it. All else is a browser that gives no locks to anyone.
      setHere(error.name !== 'TimeoutError' && error.name !== 'AbortError');
    }

    if (taken) void ask({ steal: true });
    else wait();
    // Not at once when it is free: its tab may only be loading anew.
    window.addEventListener('focus', () => !isHeld && wait(), left);
    return () => left.abort();
  }, [name, taken]);

  return { isHere, take: () => setTaken(taken + 1) };
}
