// How the service worker shows push messages, and which screen a tap opens.
import { expect, test } from 'vitest';
import { registerMessages } from './showFromWorker.ts';

type Window = { focus(): Promise<unknown>; postMessage(message: unknown, transfer: Transferable[]): void };

/** Starts a worker with these open windows. `shown` and `opened` list what it shows and opens. */
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

/** A tab that answers whether it opens a screen; without an answer it is frozen. */
function createTab(answer: boolean | undefined) {
  const asked: unknown[] = [];
  const tab = { asked, isFocused: false };
  const window: Window = {
    focus: async () => {
      tab.isFocused = true;
    },
    postMessage(message, [port]) {
      asked.push(message);
      if (answer !== undefined) (port as MessagePort).postMessage(answer);
    },
  };
  return Object.assign(tab, { window });
}

test('a tap on a push message opens its screen in the first tab without unsaved input', async () => {
  const [changed, free, other] = [createTab(false), createTab(true), createTab(true)];
  const worker = startWorker([changed.window, free.window, other.window]);
  await worker.tap('/audit/a');
  expect(free).toMatchObject({ asked: [{ type: 'open', link: '/audit/a' }], isFocused: true });
  expect([changed.isFocused, other.asked, worker.opened]).toEqual([false, [], []]);
});

test('a tap on a push message opens a new window if every tab has unsaved input or does not answer', async () => {
  for (const tabs of [[], [createTab(false)], [createTab(undefined), createTab(false)]]) {
    const worker = startWorker(tabs.map(({ window }) => window));
    await worker.tap('/audit/a');
    expect(worker.opened).toEqual(['/audit/a']);
    expect(tabs.filter(({ isFocused }) => isFocused)).toEqual([]);
  }
});

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  undefined,
])('a tap on a push message with the link %s opens the Notifications screen instead', async (link) => {
  const worker = startWorker();
  await worker.tap(link);
  expect(worker.opened).toEqual(['/notifications']);
});
