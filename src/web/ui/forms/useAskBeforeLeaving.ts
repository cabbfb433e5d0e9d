import { useEffect } from 'react';

/**
 * Makes the browser ask before the page is closed or reloaded. Returns a function that stops it.
 */
export function askBeforeLeaving(): () => void {
  const preventLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
  // There is no page in unit tests.
  globalThis.addEventListener?.('beforeunload', preventLeaving);
  return () => globalThis.removeEventListener?.('beforeunload', preventLeaving);
}

/** While `hasUnsavedInput`, the browser asks before the page is closed or reloaded. */
export function useAskBeforeLeaving(hasUnsavedInput: boolean) {
  useEffect(() => (hasUnsavedInput ? askBeforeLeaving() : undefined), [hasUnsavedInput]);
}
