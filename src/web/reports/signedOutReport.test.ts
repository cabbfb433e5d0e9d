// A report that was started without a session, and the user who continues with it.
import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signedOutUserId } from '../client/signedOutUserId.ts';
import { readRecords, writeRecords } from '../database/database.ts';
import { createDraft } from '../drafts/draftStore.ts';
import { claimSignedOutReport, findSignedOutReport } from './signedOutReport.ts';

const user = {
  id: 'sian',
  username: 'sian',
  role: 'None',
  park: 'Lido Beach',
  parks: ['Lido Beach'],
  mustChangePassword: false,
} as const;
const fields = { values: { reporter: 'Mair', details: 'Slip' } };
const media = { photos: [{ id: 'one', file: new File(['bytes'], 'one.jpg') }], signature: null };

beforeEach(async () => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  await writeRecords({ delete: [IDBKeyRange.lowerBound('')] });
  createDraft(signedOutUserId, 'accident').save(fields);
  createDraft(signedOutUserId, 'accident pictures').save(media);
  await vi.waitFor(async () => expect(await readRecords(`draft/${signedOutUserId}`)).toHaveLength(2));
});
afterEach(() => vi.restoreAllMocks());

test('a report started without a session becomes a draft of the user who continues with it', async () => {
  expect(await claimSignedOutReport('accident', user)).toBe(true);
  expect(await findSignedOutReport('accident')).toBeUndefined();
  expect(await createDraft('sian', 'accident').find()).toEqual(fields);
  expect(await createDraft('sian', 'accident pictures').find()).toMatchObject({ photos: [{ id: 'one' }] });
});

test('a report started without a session is not lost if the device is too full to move it to a user', async () => {
  const { put } = IDBObjectStore.prototype;
  // A browser notices only at the commit that there is no room.
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value) {
    const { transaction } = this;
    transaction.commit = () => transaction.abort();
    return put.call(this, value);
  });
  await expect(claimSignedOutReport('accident', user)).rejects.toThrow();
  vi.restoreAllMocks();
  expect(await findSignedOutReport('accident')).toMatchObject({ by: 'Mair' });
  expect(await readRecords('draft/')).toHaveLength(2);
});
