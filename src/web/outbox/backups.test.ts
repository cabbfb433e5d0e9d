// Waiting items survive a browser that deletes its database, as Chromium sometimes does after it was killed.
import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { backUp, deleteBackup, listBackups, restoreLostItems } from './backups.ts';
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
const untilBackedUp = () => deleteBackup('none');

beforeEach(async () => {
  vi.stubGlobal('caches', { open: async () => cache, delete: async () => stored.clear() });
  isFull = false;
  await untilBackedUp();
  stored.clear();
  await deleteDatabase();
  expect(await restoreLostItems()).toBe(false);
});

test('waiting items are restored with their files when the browser has deleted its database', async () => {
  const [first, second] = [(await insertItem(newReportItem())).item, (await insertItem(newReportItem())).item];
  const bytes = await Promise.all(first.files.map(({ id }) => readFileBytes(first.id, id)));
  expect(bytes.length).toBeGreaterThan(1);
  await untilBackedUp();
  await deleteDatabase();
  expect(await listItems()).toEqual([]);
  expect(await restoreLostItems()).toBe(true);
  // Restored items are listed in the outbox and not shown in their forms.
  expect(await findItem(first.id)).toEqual({ ...first, isOnForm: false });
  expect(await findItem(second.id)).toEqual({ ...second, isOnForm: false });
  expect(await Promise.all(first.files.map(({ id }) => readFileBytes(first.id, id)))).toEqual(bytes);
  // Items are restored only once: one that is deleted now does not return.
  await deleteItem(first.id);
  expect(await restoreLostItems()).toBe(false);
  expect(await listItems()).toEqual([{ ...second, isOnForm: false }]);
});

test('backups of items that are no longer waiting are deleted, and missing ones are created', async () => {
  const { item } = await insertItem(newReportItem());
  await untilBackedUp();
  stored.clear();
  await backUp('sent', async () => [{ key: 'outbox/item/sent', format: 1, value: {} }]);
  await updateBackups();
  await untilBackedUp();
  expect(await listBackups()).toEqual([item.id]);
  await deleteDatabase();
  await restoreLostItems();
  expect(await listItems()).toEqual([{ ...item, isOnForm: false }]);
  await deleteItem(item.id);
  expect(await listBackups()).toEqual([]);
});

test('a backup that cannot be read does not stop the others, and is tried again at the next start', async () => {
  const { item } = await insertItem(newReportItem());
  await untilBackedUp();
  const url = 'http://a/outbox-backups/unreadable';
  stored.set(url, new Response('half a form'));
  await deleteDatabase();
  await expect(restoreLostItems()).rejects.toThrow('Some items could not be restored');
  expect(await listItems()).toEqual([{ ...item, isOnForm: false }]);
  await updateBackups();
  await untilBackedUp();
  expect([...stored.keys()]).toContain(url);
});

test('backups that cannot be opened at one start are restored at the next', async () => {
  const { item } = await insertItem(newReportItem());
  await untilBackedUp();
  await deleteDatabase();
  vi.stubGlobal('caches', { open: () => Promise.reject(new Error('not now')) });
  await expect(restoreLostItems()).rejects.toThrow('The backups could not be opened');
  vi.stubGlobal('caches', { open: async () => cache });
  await updateBackups();
  expect(await restoreLostItems()).toBe(true);
  expect(await listItems()).toEqual([{ ...item, isOnForm: false }]);
});

test('an item that one tab deletes while another tab restores items does not return', async () => {
  const { item } = await insertItem(newReportItem());
  await untilBackedUp();
  await deleteDatabase();
  const { match } = cache;
  cache.match = async (request) => {
    const backup = await match(request);
    // While this tab reads, the other one has restored it, and its user has deleted it.
    cache.match = match;
    await restoreLostItems();
    await deleteItem(item.id);
    return backup;
  };
  await restoreLostItems();
  expect(await listItems()).toEqual([]);
});

test('a correction replaces the backup of the rejected item, even on a full device', async () => {
  const { item: rejected } = await insertItem(newReportItem());
  const { item } = await insertItem(newReportItem(), { replaces: rejected.id });
  await untilBackedUp();
  expect(await listBackups()).toEqual([item.id]);
  const { item: unstored } = await insertItem(newReportItem(), { replaces: item.id, inMemory: true });
  await untilBackedUp();
  expect(await listBackups()).toEqual([]);
  await deleteItem(unstored.id);
});

test('backups are deleted if a new item needs their storage space', async () => {
  const { item: first } = await insertItem(newReportItem());
  await untilBackedUp();
  const { put } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    if (stored.size === 0) return put.call(this, value, key);
    this.transaction.abort();
    throw new DOMException('There is no room', 'QuotaExceededError');
  });
  const { item } = await insertItem(newReportItem());
  expect(await listItems()).toEqual([first, item]);
  vi.restoreAllMocks();
});

test("items are stored and deleted although the browser's cache never responds", async () => {
  const never = () => new Promise<never>(() => undefined);
  vi.stubGlobal('caches', { open: async () => ({ ...cache, put: never, delete: never }), delete: never });
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { item } = await insertItem(newReportItem());
  const deleted = deleteItem(item.id);
  while (await findItem(item.id)) vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  await deleted;
});

test('items are stored and deleted as usual on a device without room for backups', async () => {
  isFull = true;
  const { item, isStored } = await insertItem(newReportItem());
  await untilBackedUp();
  expect(isStored).toBe(true);
  expect(await listItems()).toEqual([item]);
  await deleteItem(item.id);
  expect(await listItems()).toEqual([]);
});
