// Which events start the sender of a page.
import 'fake-indexeddb/auto';
import { beforeAll, expect, test, vi } from 'vitest';
import { resumeRequests, waitForSignIn } from '../client/reauthentication.ts';
import { createFakeServer, newReportItem } from './fakeServer.test-helper.ts';
import { findItem, insertItem, updateItem } from './items.ts';

const server = createFakeServer();
let wakeSender: typeof import('./outbox.ts').wakeSender;

beforeAll(async () => {
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('fetch', server.fetch);
  const { sendingUserId } = await import('../client/outboxPresence.ts');
  const outbox = await import('./outbox.ts');
  wakeSender = outbox.wakeSender;
  outbox.startSending();
  sendingUserId.set('sian');
});

test('a waiting item whose form is no longer open is sent after its user has signed in again', async () => {
  // The session ends while the page is open, and another request asks for the password.
  server.signIn('');
  const { item } = await insertItem(newReportItem());
  await updateItem(item.id, { isOnForm: false });
  await wakeSender();
  expect(await findItem(item.id)).toMatchObject({ state: 'signIn' });
  void waitForSignIn();
  expect(server.submitted).toEqual([]);
  server.signIn('sian');
  resumeRequests();
  await expect.poll(() => server.submitted).toHaveLength(1);
});

test('what another tab was sending is no longer shown as being sent once that tab was closed', async () => {
  const { outbox } = await import('./outbox.ts');
  const otherTab = new BroadcastChannel('outbox');
  const closed = Promise.withResolvers<void>();
  const isHolding = Promise.withResolvers<void>();
  const sending = navigator.locks.request('outbox', () => {
    isHolding.resolve();
    return closed.promise;
  });
  await isHolding.promise;
  otherTab.postMessage({ type: 'progress', id: 'x', progress: { sent: 1, total: 3 } });
  await vi.waitFor(() => expect(outbox.get().progress).toEqual({ x: { sent: 1, total: 3 } }));
  // A closed tab releases its lock, and says nothing.
  closed.resolve();
  await vi.waitFor(() => expect(outbox.get().progress).toEqual({}));
  otherTab.close();
  await sending;
});

test('an item that another tab stored before it was closed is sent', async () => {
  const { item } = await insertItem(newReportItem());
  const otherTab = new BroadcastChannel('outbox');
  otherTab.postMessage({ type: 'changed' });
  await vi.waitFor(async () => expect(await findItem(item.id)).toBeUndefined(), { timeout: 15_000 });
  otherTab.close();
  expect(server.submitted).toHaveLength(2);
});

test('an item is sent although the database did not answer at first', async () => {
  const { item } = await insertItem(newReportItem());
  const reading = vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(() => {
    throw new DOMException('Internal error', 'UnknownError');
  });
  await wakeSender();
  reading.mockRestore();
  await vi.waitFor(async () => expect(await findItem(item.id)).toBeUndefined(), { timeout: 15_000 });
});
