const tickMs = 1000;

/** Thrown after too long without progress. */
export class StandstillError extends Error {}

/**
 * Resolves as `work` does; rejects with StandstillError after `ms` without progress. Only seconds in
 * which the page runs count, so that a phone that slept ends nothing.
 */
export function limitStandstill<T>(ms: number, work: (onProgress: () => void) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let leftMs = ms;
    const timer = setInterval(() => {
      leftMs -= tickMs;
      if (leftMs > 0) return;
      clearInterval(timer);
      reject(new StandstillError('No progress'));
    }, tickMs);
    const onProgress = () => {
      leftMs = ms;
    };
    void work(onProgress)
      .then(resolve, reject)
      .then(() => clearInterval(timer));
  });
}
