import { useEffect } from 'react';

/** From now on the browser asks before the page is closed or loaded anew. Gives what ends that. */
export function askBeforeLeaving(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  return () => window.removeEventListener('beforeunload', ask);
}

/** While `isNeeded`, the browser asks before the page is closed or loaded anew. */
export function useAskBeforeLeaving(isNeeded: boolean) {
  useEffect(() => (isNeeded ? askBeforeLeaving() : undefined), [isNeeded]);
}
