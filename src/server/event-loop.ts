// Shares the server's thread: long tasks run in time slices, one for each turn of the event loop,
// so that many long tasks delay other requests no more than one such task does.

/** The maximum length of a time slice. */
const sliceMs = 5;

const waiting: (() => void)[] = [];

/** Resolves when the next slice is the caller's. Callers take turns. */
export function nextSlice(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (waiting.push(resolve) === 1) setImmediate(startNext);
  return promise;
}

function startNext(): void {
  const start = waiting.shift();
  // Start the next slice in the next turn of the event loop, after other requests.
  if (waiting.length > 0) setImmediate(startNext);
  start?.();
}

/**
 * Returns a function that a long task awaits often: it waits for the next slice when the current
 * one is used up.
 */
export function startSlices(): () => Promise<void> {
  let sliceEnd = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < sliceEnd) return;
    await nextSlice();
    sliceEnd = performance.now() + sliceMs;
  };
}
