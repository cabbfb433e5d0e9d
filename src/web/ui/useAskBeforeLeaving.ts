import { useEffect } from 'react';

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

/** While `isNeeded`, the browser asks before the page is closed or loaded anew. */
export function useAskBeforeLeaving(isNeeded: boolean) {
  // Closing a tab is outside of React.
  useEffect(() => {
    if (!isNeeded) return;
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isNeeded]);
}
