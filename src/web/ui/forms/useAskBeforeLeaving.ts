import { useEffect } from 'react';

/**
 * Makes the browser ask before the page is closed or reloaded. Returns a function that stops it.
 */
export function askBeforeLeaving(): () => void {
  const preventLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener('beforeunload', preventLeaving);
  return () => window.removeEventListener('beforeunload', preventLeaving);
}

/** While `isNeeded`, the browser asks before the page is closed or reloaded. */
export function useAskBeforeLeaving(isNeeded: boolean) {
  useEffect(() => (isNeeded ? askBeforeLeaving() : undefined), [isNeeded]);
}
