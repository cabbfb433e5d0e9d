// How many uploads go at a time: several that share a weak line would each be too slow, and none would arrive.

/** In bytes a second. Three that share this much are each well above what the server calls slow. */
const enoughForThree = 45_000;
/** The server lets an upload through as long as it brings this much. */
const slowestBytesPerSecond = 2_000;
const responseMs = 30_000;
const longestMs = 10 * 60_000;

/** How long an upload of so many bytes may take, in milliseconds. */
export const getUploadTimeoutMs = (bytes: number) =>
  Math.min(longestMs, responseMs + Math.ceil(bytes / slowestBytesPerSecond) * 1000);

/**
 * Calls `upload` for each, in order: the first alone, then three at a time as long as the line carries them. One that was too slow
 * beside others is tried once more after them, and from then on they go one at a time. `upload` must not reject.
 */
export function uploadPaced<T>(
  items: T[],
  getSize: (item: T) => number,
  upload: (item: T, isLastTry: boolean) => Promise<'done' | 'tooSlow'>,
): Promise<void> {
  const left = items.map((item) => ({ item, isLastTry: false }));
  let inFlight = 0;
  let isQuick = false;
  let wasTooSlow = false;
  return new Promise((resolve) => {
    const next = () => {
      while (inFlight < (isQuick && !wasTooSlow ? 3 : 1)) {
        const entry = left.shift();
        if (!entry) break;
        inFlight += 1;
        const startedAt = performance.now();
        void upload(entry.item, entry.isLastTry).then((outcome) => {
          const bytesPerMs = getSize(entry.item) / Math.max(1, performance.now() - startedAt);
          isQuick = bytesPerMs * 1000 * inFlight >= enoughForThree;
          if (outcome === 'tooSlow') {
            wasTooSlow = true;
            left.push({ ...entry, isLastTry: true });
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
