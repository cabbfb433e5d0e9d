// On a full device nothing is stored partially, and input stays.
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readRecord, readRecords, type StoredRecord, writeRecords } from '../database/database.ts';
import { createDevice } from './device.test-helper.ts';
import {
  createFakeServer,
  newAuditItem,
  newChecklistItem,
  newCompletionItem,
  newReportItem,
} from './fakeServer.test-helper.ts';
import { findItem, insertItem, isOnlyInMemory, listItems } from './items.ts';

const draft = { key: 'draft/sian/form', format: 2, value: { typed: 'all of it' } };

beforeEach(async () => {
  await writeRecords({ delete: [IDBKeyRange.lowerBound('')], put: [draft] });
});
afterEach(() => vi.restoreAllMocks());

/**
 * The device has room for this many more records. A browser aborts the transaction that needs more.
 */
function fillDevice(freeRecords: number) {
  const { put } = IDBObjectStore.prototype;
  let left = freeRecords;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    left -= 1;
    if (left >= 0) return put.call(this, value, key);
    this.transaction.abort();
    throw new DOMException('There is no room', 'QuotaExceededError');
  });
}

const kinds = [
  ['report', newReportItem, [0, 1, 3, 5]],
  ['checklist', newChecklistItem, [0]],
  ['new audit', newAuditItem, [0, 1, 2]],
  ['completion of an audit', () => newCompletionItem(createFakeServer()), [0, 1, 2]],
] as const;

test.each(
  kinds.flatMap(([kind, create, freeRecordCounts]) =>
    freeRecordCounts.map((freeRecords) => [kind, freeRecords, create] as const),
  ),
)(
  'a %s is not stored on a device with room for only %i records, and its draft stays',
  async (_, freeRecords, create) => {
    fillDevice(freeRecords);
    await expect(insertItem(create(), { drafts: [draft.key] })).rejects.toThrow();
    vi.restoreAllMocks();
    expect(await readRecords('outbox/')).toEqual([]);
    expect(await readRecord(draft.key)).toEqual(draft);
  },
);

test('a correction for which the device has no room does not change the original item', async () => {
  const refused = newReportItem();
  await insertItem(refused);
  const before = await readRecords<StoredRecord>('outbox/');
  fillDevice(2);
  const correctedItem = { ...newReportItem(), body: { name: 'Corrected' } };
  await expect(insertItem(correctedItem, { replaces: refused.id })).rejects.toThrow();
  vi.restoreAllMocks();
  expect(await readRecords('outbox/')).toEqual(before);
});

test('an item that the browser stores incompletely causes an error, and no part of it stays stored', async () => {
  const { put } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    const isFile = String(value.key).startsWith('outbox/file/');
    return put.call(this, isFile ? { ...value, value: new ArrayBuffer(3) } : value, key);
  });
  await expect(insertItem(newReportItem())).rejects.toThrow('did not store');
  expect(await readRecords('outbox/')).toEqual([]);
});

test('an item whose first check after storing fails is checked again and stored once', async () => {
  const { get } = IDBObjectStore.prototype;
  let reads = 0;
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
    reads += 1;
    // The first read looks for an item with the same id.
    if (reads !== 2) return get.call(this, key);
    throw new DOMException('Connection to Indexed Database server lost', 'UnknownError');
  });
  const { item } = await insertItem(newReportItem());
  expect(await listItems()).toEqual([item]);
  // An item that can never be read back is removed completely, because its user submits it again.
  let fails = 4;
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
    if (String(key).includes(item.id) || fails-- <= 0) return get.call(this, key);
    throw new DOMException('Connection to Indexed Database server lost', 'UnknownError');
  });
  await expect(insertItem(newReportItem())).rejects.toThrow('did not store');
  vi.restoreAllMocks();
  expect(await listItems()).toEqual([item]);
});

test('an item on a full device is sent from the page when online, and its draft is kept until then', async () => {
  const { server, wake } = createDevice('sian');
  fillDevice(0);
  const { item, isStored } = await insertItem(newReportItem(), { inMemory: true, drafts: [draft.key] });
  expect(isStored).toBe(false);
  expect(isOnlyInMemory(item.id)).toBe(true);
  expect(await listItems()).toMatchObject([{ id: item.id }]);
  expect(await findItem(item.id)).toBeDefined();
  // If the page is closed now, the user still has it.
  expect(await readRecord(draft.key)).toEqual(draft);
  await wake();
  vi.restoreAllMocks();
  expect(server.submitted).toHaveLength(1);
  expect(await readRecord(draft.key)).toBeUndefined();
});

test.each([0, 1, 3, 5])('items are sent from a device with room for only %i more records', async (freeRecords) => {
  const { server, wake } = createDevice('sian');
  const { item } = await insertItem(newReportItem());
  await insertItem({ ...newReportItem(), createdAt: Date.now() + 1 });
  fillDevice(freeRecords);
  await wake();
  expect(server.submitted[0]?.photos).toEqual(item.files.map(({ sha256 }) => sha256));
  expect(server.submitted).toHaveLength(2);
  vi.restoreAllMocks();
  expect(await readRecords('outbox/item/')).toEqual([]);
  expect(await readRecords('outbox/file/')).toEqual([]);
});

test('an item that fails on a full device does not delay the next one and is not retried at once', async () => {
  const { server, wake, getNextDelay, advanceClock } = createDevice('sian');
  await insertItem(newReportItem());
  await insertItem({ ...newReportItem(), createdAt: Date.now() + 1 });
  let requestCount = 0;
  server.setErrors(() => (++requestCount <= 4 ? 'busy' : 'none'));
  fillDevice(0);
  await wake();
  expect(server.submitted).toHaveLength(1);
  expect(await getNextDelay()).toBe(5 * 60_000);
  await wake();
  expect(server.submitted).toHaveLength(1);
  advanceClock(5 * 60_000);
  await wake();
  expect(server.submitted).toHaveLength(2);
});
