// Firefox fails the imports of a page that is being left, before its `pagehide`: this is not an
// error.
let isLeaving = false;

window.addEventListener('beforeunload', () => {
  isLeaving = true;
  // The user may choose to stay when asked.
  setTimeout(() => {
    isLeaving = false;
  }, 10_000);
});

/** Reports an error unless the page is being left; returns whether it was reported. */
export function reportErrorUnlessLeaving(error: unknown): boolean {
  if (!isLeaving) reportError(error);
  return !isLeaving;
}
