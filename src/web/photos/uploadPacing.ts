// Limits parallel uploads: several that share a slow connection would all time out.

/** Three uploads that share this speed are each well above the server's limit for slow ones. */
const minBytesPerSecondForThree = 45_000;
/** An upload that is slower times out. The server accepts one such upload, but few at once. */
const slowestBytesPerSecond = 2_000;
const responseMs = 30_000;
const longestMs = 10 * 60_000;

/** Returns the timeout of an upload of this many bytes, in milliseconds. */
export const getUploadTimeoutMs = (bytes: number) =>
  Math.min(longestMs, responseMs + Math.ceil(bytes / slowestBytesPerSecond) * 1000);

/**
 * Calls `upload` for each item in order: the first alone, then three at a time while the connection
 * is fast enough. One that timed out beside others is tried once more at the end, and from then on
 * uploads run one at a time. `upload` must not reject.
 */
export function uploadPaced<T>(
  items: T[],
  getSize: (item: T) => number,
  upload: (item: T, isLastTry: boolean) => Promise<'done' | 'tooSlow'>,
): Promise<void> {
  const queue = items.map((item) => ({ item, isLastTry: false }));
  let inFlight = 0;
  let isFast = false;
  let wasTooSlow = false;
  return new Promise((resolve) => {
    const next = () => {
      while (inFlight < (isFast && !wasTooSlow ? 3 : 1)) {
        const entry = queue.shift();
        if (!entry) break;
        inFlight += 1;
        const startedAt = performance.now();
        void upload(entry.item, entry.isLastTry).then((outcome) => {
          const bytesPerMs = getSize(entry.item) / Math.max(1, performance.now() - startedAt);
          isFast = bytesPerMs * 1000 * inFlight >= minBytesPerSecondForThree;
          if (outcome === 'tooSlow') {
            wasTooSlow = true;
            queue.push({ ...entry, isLastTry: true });
          }
          inFlight -= 1;
          next();
        });
      }
      if (inFlight === 0) resolve();
    };
    next();
  });
}
