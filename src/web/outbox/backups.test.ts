// Waiting items survive a browser that deletes its database, as Chromium does after some kills.
import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { backUp, listBackups, restoreLostItems } from './backups.ts';
import { newReportItem } from './fakeServer.test-helper.ts';
import { deleteItem, findItem, insertItem, listItems, readFileBytes, updateBackups } from './items.ts';

/** The browser's caches: bodies by URL. */
const stored = new Map<string, Response>();
let isFull = false;
const toUrl = (request: Request | string) => new URL(request instanceof Request ? request.url : request, 'http://a');
const cache = {
  keys: async () => [...stored.keys()].map((url) => new Request(url)),
  match: async (request: Request) => stored.get(toUrl(request).href)?.clone(),
  delete: async (request: string) => stored.delete(toUrl(request).href),
  async put(request: string, response: Response) {
    if (isFull) throw new DOMException('There is no room', 'QuotaExceededError');
    stored.set(toUrl(request).href, response);
  },
};

const deleteDatabase = () =>
  new Promise<void>((resolve) => {
    indexedDB.deleteDatabase('drafts').onsuccess = () => resolve();
  });

/** Resolves once earlier changes of backups are done, because they are made in order. */
const untilBackedUp = () => backUp('last', []).then(() => cache.delete('/outbox-backups/last'));

beforeEach(async () => {
  vi.stubGlobal('caches', { open: async () => cache });
  isFull = false;
  stored.clear();
  await deleteDatabase();
  expect(await restoreLostItems()).toBe(false);
});

test('items are restored with their files when the browser has deleted its database', async () => {
  const [first, second] = [(await insertItem(newReportItem())).item, (await insertItem(newReportItem())).item];
  const bytes = await Promise.all(first.files.map(({ id }) => readFileBytes(first.id, id)));
  expect(bytes.length).toBeGreaterThan(1);
  await untilBackedUp();
  await deleteDatabase();
  expect(await listItems()).toEqual([]);
  expect(await restoreLostItems()).toBe(true);
  expect(await findItem(first.id)).toEqual(first);
  expect(await findItem(second.id)).toEqual(second);
  expect(await Promise.all(first.files.map(({ id }) => readFileBytes(first.id, id)))).toEqual(bytes);
  // Only once: an item that is deleted now does not return.
  await deleteItem(first.id);
  expect(await restoreLostItems()).toBe(false);
  expect(await listItems()).toEqual([second]);
});

test('backups of items that are no longer waiting are deleted, and missing ones are created', async () => {
  const { item } = await insertItem(newReportItem());
  await untilBackedUp();
  stored.clear();
  await backUp('sent', [{ key: 'outbox/item/sent', format: 1, value: {} }]);
  await updateBackups();
  await untilBackedUp();
  expect(await listBackups()).toEqual([item.id]);
  await deleteDatabase();
  await restoreLostItems();
  expect(await listItems()).toEqual([item]);
  await deleteItem(item.id);
  await untilBackedUp();
  expect(await listBackups()).toEqual([]);
});

test('backups stay until the items have been restored', async () => {
  const { item } = await insertItem(newReportItem());
  await untilBackedUp();
  stored.set('http://a/outbox-backups/unreadable', new Response('half a form'));
  await deleteDatabase();
  // A restoration that failed.
  await updateBackups();
  await untilBackedUp();
  expect(await restoreLostItems()).toBe(true);
  expect(await listItems()).toEqual([item]);
});

test('on a device without room for backups, items are stored and deleted as usual', async () => {
  isFull = true;
  const { item, isStored } = await insertItem(newReportItem());
  await untilBackedUp();
  expect(isStored).toBe(true);
  expect(await listItems()).toEqual([item]);
  await deleteItem(item.id);
  expect(await listItems()).toEqual([]);
});
