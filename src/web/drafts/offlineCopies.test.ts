// Which data is copied for offline use, and when it is deleted.
import { stubLocalStorage } from '../client/localStorage.test-helper.ts';
import 'fake-indexeddb/auto';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '#shared/client.ts';
import { forgetUser, getRememberedUser, rememberUser } from '../client/offlineSession.ts';
import { readRecords, type StoredRecord, writeRecords } from '../database/database.ts';
import { findPhotoCopy, getCopiedAt, replaceUserCopies, withOfflineCopy } from './offlineCopies.ts';

const hourMs = 60 * 60_000;
const sian = {
  id: 'sian',
  username: 'sian',
  role: 'None',
  park: 'Lido Beach',
  parks: ['Lido Beach'],
  mustChangePassword: false,
} as const;
const queryKey = ['listFolders'];
const folders = [{ name: 'Plant' }];

beforeEach(async () => {
  stubLocalStorage();
  vi.useFakeTimers({ toFake: ['Date'] });
  await writeRecords({ delete: [IDBKeyRange.lowerBound('')] });
  rememberUser(sian, Date.now() + 48 * hourMs);
  await replaceUserCopies([{ queryKey, value: folders }]);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const listUserCopies = async () => (await readRecords<StoredRecord>('copy/user/')).map(({ key }) => key);

/** The result of a query while the server cannot be reached. */
const readOffline = (scope: 'user' | 'everyone' = 'user') =>
  new QueryClient()
    .fetchQuery(withOfflineCopy(scope, { queryKey, queryFn: () => Promise.reject(new ApiError(0, '')), retry: false }))
    .catch(() => undefined);

test('a query returns its offline copy, with its time, while the server cannot be reached', async () => {
  const shown = await readOffline();
  expect(shown).toEqual(folders);
  expect(getCopiedAt(shown)).toBe(Date.now());
});

test('a reply that equals the copy on the screen replaces it, and a copy is requested again until then', async () => {
  let isOffline = true;
  const client = new QueryClient();
  const queryFn = () => (isOffline ? Promise.reject(new ApiError(0, '')) : Promise.resolve([{ name: 'Plant' }]));
  const options = withOfflineCopy('user', { queryKey, queryFn, retry: false });
  const { refetchInterval } = options as unknown as { refetchInterval(query: object): number | false };
  const isRequestedAgain = () => refetchInterval({ state: { data: client.getQueryData(queryKey) } });
  await client.fetchQuery(options);
  expect(getCopiedAt(client.getQueryData(queryKey))).toBe(Date.now());
  expect(isRequestedAgain()).toBe(15_000);
  isOffline = false;
  await client.fetchQuery(options);
  const reply = client.getQueryData<object>(queryKey);
  expect(reply).toEqual(folders);
  expect(getCopiedAt(reply)).toBeUndefined();
  expect(isRequestedAgain()).toBe(false);
  // An equal reply of the server changes nothing on the screen.
  await client.fetchQuery(options);
  expect(client.getQueryData(queryKey)).toBe(reply);
});

test('a query does not return its offline copy if the server responds with an error', async () => {
  const queryFn = () => Promise.reject(new ApiError(404, ''));
  await expect(
    new QueryClient().fetchQuery(withOfflineCopy('user', { queryKey, queryFn, retry: false })),
  ).rejects.toMatchObject({ status: 404 });
});

describe("a user's offline copies are deleted", () => {
  test("a user's offline copies are deleted after a sign-out or a 401", async () => {
    await forgetUser();
    expect(await listUserCopies()).toEqual([]);
    expect(await readOffline()).toBeUndefined();
  });

  test("a user's offline copies are deleted after a change of park", async () => {
    rememberUser({ ...sian, parks: ['Lido Beach', 'Kingsley'] }, Date.now() + hourMs);
    expect(await readOffline()).toBeUndefined();
    await expect.poll(listUserCopies).toEqual([]);
  });

  test("a user's offline copies are deleted after another user has signed in", async () => {
    rememberUser({ ...sian, id: 'huw' }, Date.now() + hourMs);
    expect(await readOffline()).toBeUndefined();
    await expect.poll(listUserCopies).toEqual([]);
  });

  test("a user's offline copies are deleted after 12 hours, even in a session that lasts longer", async () => {
    vi.setSystemTime(Date.now() + 12 * hourMs - 1000);
    expect(await readOffline()).toEqual(folders);
    vi.setSystemTime(Date.now() + 2000);
    expect(await readOffline()).toBeUndefined();
    expect(await listUserCopies()).toEqual([]);
  });

  test("a user's offline copies are deleted when the session has ended by the device’s clock", async () => {
    rememberUser(sian, Date.now() + hourMs);
    expect(await readOffline()).toEqual(folders);
    vi.setSystemTime(Date.now() + hourMs + 1);
    expect(getRememberedUser()).toBeUndefined();
    expect(await readOffline()).toBeUndefined();
    await expect.poll(listUserCopies).toEqual([]);
  });
});

test('copies of checklists stay after a sign-out, because they are the same for everyone', async () => {
  const copied = withOfflineCopy('everyone', { queryKey, queryFn: async () => folders });
  await new QueryClient().fetchQuery(copied);
  await expect.poll(() => readRecords('copy/everyone/')).toHaveLength(1);
  await forgetUser();
  vi.setSystemTime(Date.now() + 30 * 24 * hourMs);
  expect(await readOffline('everyone')).toEqual(folders);
});

describe('photos', () => {
  const paths = ['a', 'b', 'c', 'd'].map((name) => `/uploads/2026/11/${name}.jpg`);
  const fetchedPaths: string[] = [];
  /** Each photo has 700 KB. */
  const fetchPhoto = async (path: string) => {
    fetchedPaths.push(path);
    return new Blob([new Uint8Array(700 * 1024)], { type: 'image/jpeg' });
  };
  const listCopied = async () =>
    (await Promise.all(paths.map(findPhotoCopy))).map((photo) => (photo ? `${photo.size} ${photo.type}` : ''));
  const copied = `${700 * 1024} image/jpeg`;

  beforeEach(() => fetchedPaths.splice(0));

  test('photos of audits are copied in order, up to 2 MB in total', async () => {
    await replaceUserCopies([], paths, fetchPhoto);
    expect(await listCopied()).toEqual([copied, copied, '', '']);
  });

  test('photos of audits are fetched only once, and are deleted when no audit has them any more', async () => {
    await replaceUserCopies([], paths.slice(0, 2), fetchPhoto);
    await replaceUserCopies([{ queryKey, value: folders }], [paths[1] ?? '', paths[2] ?? ''], fetchPhoto);
    expect(fetchedPaths).toEqual(paths.slice(0, 3));
    expect(await listCopied()).toEqual(['', copied, copied, '']);
    expect(await readOffline()).toEqual(folders);
  });

  test('photos of audits are not copied after the session has ended', async () => {
    await replaceUserCopies([], paths, async (path) => {
      await forgetUser();
      return fetchPhoto(path);
    });
    expect(await listUserCopies()).toEqual([]);
  });
});
