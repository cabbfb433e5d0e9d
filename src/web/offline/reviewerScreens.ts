// The files of screens that only reviewers can open: cached after a reviewer signed in, so that other
// devices do not download them. Used by the service worker and, for the message, by pages.
export const cacheReviewerScreensMessage = 'CACHE_REVIEWER_SCREENS';

/** The build (vite.config.ts) gives these files this revision in the list of files to cache. */
export const reviewerRevision = 'reviewer';

const cacheName = 'reviewer-screens';

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type Worker = {
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'message', listener: (event: ExtendableEvent & { data: unknown }) => void): void;
};

/** Caches these URLs when a reviewer signs in, and returns a handler of requests for them. */
export function registerReviewerScreens(worker: Worker, urls: ReadonlySet<string>) {
  // A device with a reviewer needs the new version complete before the old one goes.
  worker.addEventListener('install', (event) =>
    event.waitUntil(caches.has(cacheName).then((isUsed) => (isUsed ? cacheMissing(urls) : undefined))),
  );
  worker.addEventListener('activate', (event) => event.waitUntil(deleteOutdated(urls)));
  worker.addEventListener('message', (event) => {
    if ((event.data as { type?: unknown } | null)?.type === cacheReviewerScreensMessage)
      // The page asks again when the connection is back.
      event.waitUntil(cacheMissing(urls).catch(() => undefined));
  });
  return async ({ request }: { request: Request }): Promise<Response> =>
    (await caches.match(request, { cacheName, ignoreVary: true })) ?? fetch(request);
}

/** One file after another, so that other requests are not held up. Their names contain a hash. */
async function cacheMissing(urls: ReadonlySet<string>): Promise<void> {
  const cache = await caches.open(cacheName);
  for (const url of urls) if (!(await cache.match(url, { ignoreVary: true }))) await cache.add(url);
}

async function deleteOutdated(urls: ReadonlySet<string>): Promise<void> {
  if (!(await caches.has(cacheName))) return;
  const cache = await caches.open(cacheName);
  for (const request of await cache.keys()) if (!urls.has(new URL(request.url).pathname)) await cache.delete(request);
}
