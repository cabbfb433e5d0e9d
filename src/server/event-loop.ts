// Shares the server's thread: long tasks run in slices, one for each turn of the event loop, so that
// many of them together delay other requests no longer than one.

/** Maximum time of a slice. */
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
  // Runs in the next turn, after other requests.
  if (waiting.length > 0) setImmediate(startNext);
  start?.();
}

/** Returns a function to await often: it waits for the next slice when this one has taken its time. */
export function startSlices(): () => Promise<void> {
  let sliceEnd = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < sliceEnd) return;
    await nextSlice();
    sliceEnd = performance.now() + sliceMs;
  };
}
