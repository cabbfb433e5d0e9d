import { useEffect } from 'react';

let isUnattended = false;

/** Leaves the page without a question from now on: nobody is there to answer. */
export function leaveUnasked() {
  isUnattended = true;
}

/**
 * Makes the browser ask before the page is closed or reloaded. Returns a function that stops it.
 */
export function askBeforeLeaving(): () => void {
  const preventLeaving = (event: BeforeUnloadEvent) => isUnattended || event.preventDefault();
  // There is no page in unit tests.
  globalThis.addEventListener?.('beforeunload', preventLeaving);
  return () => globalThis.removeEventListener?.('beforeunload', preventLeaving);
}

/** While `hasUnsavedInput`, the browser asks before the page is closed or reloaded. */
export function useAskBeforeLeaving(hasUnsavedInput: boolean) {
  useEffect(() => (hasUnsavedInput ? askBeforeLeaving() : undefined), [hasUnsavedInput]);
}
