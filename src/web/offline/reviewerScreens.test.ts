import { expect, test, vi } from 'vitest';
import { cacheReviewerScreensMessage, registerReviewerScreens } from './reviewerScreens.ts';

/** One cache, as a browser keeps it between versions of the worker. */
function createCaches() {
  let paths: Set<string> | undefined;
  const added: string[] = [];
  const cache = {
    match: async (url: string) => (paths?.has(url) ? new Response() : undefined),
    add: async (url: string) => {
      added.push(url);
      paths?.add(url);
    },
    keys: async () => [...(paths ?? [])].map((path) => new Request(`https://parks.example${path}`)),
    delete: async ({ url }: Request) => paths?.delete(new URL(url).pathname),
  };
  const caches = {
    has: async () => paths !== undefined,
    open: async () => {
      paths ??= new Set();
      return cache;
    },
  };
  vi.stubGlobal('caches', caches);
  return { list: () => [...(paths ?? [])], added };
}

function startWorker(urls: string[]) {
  const listeners = new Map<string, (event: never) => void>();
  registerReviewerScreens(
    {
      addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
    } as never,
    new Set(urls),
  );
  return async (type: string, data?: unknown) => {
    const work: Promise<unknown>[] = [];
    listeners.get(type)?.({ data, waitUntil: (promise: Promise<unknown>) => void work.push(promise) } as never);
    await Promise.all(work);
  };
}

test('the screens of reviewers are cached only after a reviewer signed in, and each file once', async () => {
  const { list, added } = createCaches();
  const dispatch = startWorker(['/assets/a-1.js', '/assets/b-1.js']);
  await dispatch('install');
  await dispatch('activate');
  await dispatch('message', { type: 'SKIP_WAITING' });
  expect(list()).toEqual([]);
  for (let signIns = 0; signIns < 2; signIns += 1) await dispatch('message', { type: cacheReviewerScreensMessage });
  expect(added).toEqual(['/assets/a-1.js', '/assets/b-1.js']);
});

test("all screens of reviewers of a new version are cached before the old version's are deleted", async () => {
  const { list, added } = createCaches();
  await startWorker(['/assets/a-1.js', '/assets/b-1.js'])('message', { type: cacheReviewerScreensMessage });
  const dispatch = startWorker(['/assets/a-1.js', '/assets/b-2.js']);
  await dispatch('install');
  expect(list()).toEqual(['/assets/a-1.js', '/assets/b-1.js', '/assets/b-2.js']);
  await dispatch('activate');
  expect(list()).toEqual(['/assets/a-1.js', '/assets/b-2.js']);
  expect(added).toHaveLength(3);
});
