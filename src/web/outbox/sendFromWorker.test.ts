// Background Sync: the service worker sends waiting items.
import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { readRecord, writeRecords } from '../database/database.ts';
import { pendingSignOutKey, storePendingSignOut } from '../database/pendingSignOut.ts';
import { createFakeServer, newReportItem } from './fakeServer.test-helper.ts';
import { findItem, insertItem } from './items.ts';
import { registerBackgroundSender } from './sendFromWorker.ts';

const server = createFakeServer();
const requests: string[] = [];
const registered: string[] = [];
let logoutStatus = 200;

/** Resolves when the worker has handled a sync event. */
let sync: () => Promise<unknown>;

beforeEach(async () => {
  await writeRecords({ delete: [IDBKeyRange.lowerBound('')] });
  for (const list of [requests, registered, server.submitted]) list.length = 0;
  server.setErrors(() => 'none');
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    requests.push(url.split('?')[0] ?? '');
    return url === '/api/logout' ? new Response('{}', { status: logoutStatus }) : server.fetch(url, init);
  });
  registerBackgroundSender({
    addEventListener: (_, listener) => {
      sync = async () => {
        let eventWork: Promise<unknown> | undefined;
        listener(
          Object.assign(new Event('sync'), {
            tag: 'outbox',
            waitUntil: (promise: typeof eventWork) => (eventWork = promise),
          }),
        );
        await eventWork;
      };
    },
    registration: { sync: { register: async (tag) => void registered.push(tag) } },
  });
});

test('a sync event that sends all items registers no further sync event', async () => {
  const { item } = await insertItem(newReportItem());
  await sync();
  expect(server.submitted).toHaveLength(1);
  expect(await findItem(item.id)).toBeUndefined();
  expect(registered).toEqual([]);
});

test('a sync event that could not send all items registers another sync event', async () => {
  server.setErrors(() => 'neverSent');
  const { item } = await insertItem(newReportItem());
  await sync();
  expect(await findItem(item.id)).toMatchObject({ state: 'waiting' });
  expect(registered).toEqual(['outbox']);
});

test('a pending sign-out is sent before any item, and no item is sent while the sign-out fails', async () => {
  await insertItem(newReportItem());
  await storePendingSignOut();
  logoutStatus = 503;
  await expect(sync()).rejects.toThrow('The sign-out could not be sent');
  expect(requests).toEqual(['/api/logout']);
  logoutStatus = 200;
  server.signIn('');
  await sync();
  expect(requests.slice(0, 2)).toEqual(['/api/logout', '/api/logout']);
  expect(await readRecord(pendingSignOutKey)).toBeUndefined();
  expect(server.submitted).toEqual([]);
});
