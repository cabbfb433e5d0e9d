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

/** Whether an error is real and should be reported. */
export function logUnlessLeaving(error: unknown): boolean {
  if (!isLeaving) reportError(error);
  return !isLeaving;
}
