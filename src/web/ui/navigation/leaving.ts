// Firefox fails the imports of a page that is being left, before its `pagehide`: nothing is wrong then.
let isLeaving = false;

window.addEventListener('beforeunload', () => {
  isLeaving = true;
  // Someone who is asked whether to leave may stay.
  setTimeout(() => {
    isLeaving = false;
  }, 10_000);
});

/** Whether an error matters, which is then reported. */
export function reportUnlessLeaving(error: unknown): boolean {
  if (!isLeaving) reportError(error);
  return !isLeaving;
}
