// How the service worker shows push messages, and which screen a tap opens.
import { expect, test } from 'vitest';
import { registerMessages } from './showFromWorker.ts';

type Window = { focus(): Promise<Window>; navigate(url: string): Promise<unknown> };

/** A worker with these open windows, and what it shows and opens. */
function startWorker(windows: Window[] = []) {
  const listeners = new Map<string, (event: never) => void>();
  const shown: [string, object][] = [];
  const openedUrls: string[] = [];
  registerMessages({
    addEventListener: (type: string, listener: (event: never) => void) => void listeners.set(type, listener),
    registration: { showNotification: async (title, options) => void shown.push([title, options]) },
    clients: { matchAll: async () => windows, openWindow: async (url) => void openedUrls.push(url) },
  });
  async function dispatch(type: string, event: object) {
    let eventWork: Promise<unknown> | undefined;
    listeners.get(type)?.({ ...event, waitUntil: (promise: Promise<unknown>) => (eventWork = promise) } as never);
    await eventWork;
  }
  return {
    shown,
    opened: openedUrls,
    receive: (message: object | undefined) => dispatch('push', message ? { data: { json: () => message } } : {}),
    async tap(link: unknown) {
      let isClosed = false;
      await dispatch('notificationclick', { notification: { close: () => (isClosed = true), data: { link } } });
      expect(isClosed).toBe(true);
    },
  };
}

test('a push message is shown with its title and text, and an empty message is not shown', async () => {
  const worker = startWorker();
  await worker.receive(undefined);
  await worker.receive({ title: 'Holiday Parks', body: 'Urgent audit', link: '/audit/a', tag: 't' });
  expect(worker.shown).toEqual([
    ['Holiday Parks', expect.objectContaining({ body: 'Urgent audit', tag: 't', data: { link: '/audit/a' } })],
  ]);
});

test("a tap on a push message opens its screen in the app's open window, or in a new one", async () => {
  const without = startWorker();
  await without.tap('/audit/a');
  expect(without.opened).toEqual(['/audit/a']);
  const visitedUrls: string[] = [];
  const window: Window = { focus: async () => window, navigate: async (url) => visitedUrls.push(url) };
  const workerWithWindow = startWorker([window]);
  await workerWithWindow.tap('/audit/b');
  expect([visitedUrls, workerWithWindow.opened]).toEqual([['/audit/b'], []]);
  // A window that the worker does not control cannot be navigated.
  const foreignWindow: Window = { focus: async () => foreignWindow, navigate: () => Promise.reject(new TypeError()) };
  const workerWithForeignWindow = startWorker([foreignWindow]);
  await workerWithForeignWindow.tap('/audit/c');
  expect(workerWithForeignWindow.opened).toEqual(['/audit/c']);
});

test.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', undefined])(
  'a tap on a push message with the link %s opens the Notifications screen instead',
  async (link) => {
    const worker = startWorker();
    await worker.tap(link);
    expect(worker.opened).toEqual(['/notifications']);
  },
);
