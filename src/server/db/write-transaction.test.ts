import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { openMigratedDatabase } from '../testing/storage.ts';
import { serverActor } from './activity-log.ts';
import { waitUntilDurable } from './connect.ts';
import { incrementCounter } from './counters.ts';
import { createGroupSync } from './group-sync.ts';
import type { Database } from './schema.ts';
import { getSqliteConnection } from './sqlite.ts';
import { writeLogEntry, writeTransaction, writeWaitingEntries } from './write-transaction.ts';

let db: Database;
/** Disk syncs that have begun. The test decides when each ends. */
let pendingSyncs: PromiseWithResolvers<void>[];

beforeEach(async () => {
  db = await openMigratedDatabase('sqlite');
  pendingSyncs = [];
  const file = getSqliteConnection(db);
  if (!file) throw new Error('This test needs SQLite.');
  file.groupSync = createGroupSync(
    () => {
      const sync = Promise.withResolvers<void>();
      pendingSyncs.push(sync);
      return sync.promise;
    },
    (error) => {
      throw error;
    },
  );
});

const log = (label: string) => writeLogEntry(db, serverActor, new Date(), { action: 'opened', thing: 'report', label });

async function readLabels(): Promise<string[]> {
  const rows = await db.selectFrom('activity').select('label').orderBy('seq').execute();
  return rows.map(({ label }) => label);
}

const waitForSyncs = async (count: number) => {
  while (pendingSyncs.length < count) await nextTurn();
};

test('log entries that arrive during a disk sync are written together after it', async () => {
  const first = log('first');
  await waitForSyncs(1);
  const later = [log('second'), log('third')];
  for (let turn = 0; turn < 10; turn++) await nextTurn();
  expect(await readLabels()).toEqual(['first']);
  pendingSyncs[0]?.resolve();
  await first;
  await waitForSyncs(2);
  expect(await readLabels()).toEqual(['first', 'second', 'third']);
  pendingSyncs[1]?.resolve();
  await Promise.all(later);
  expect(pendingSyncs).toHaveLength(2);
});

test('a write transaction resolves only when its change is on disk', async () => {
  let isDone = false;
  const change = writeTransaction(db, serverActor, new Date(), async (_, logActivity) =>
    logActivity({ action: 'deleted', thing: 'report', label: 'gone' }),
  ).then(() => {
    isDone = true;
  });
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(await readLabels()).toEqual(['gone']);
  expect([isDone, pendingSyncs.length]).toEqual([false, 1]);
  pendingSyncs[0]?.resolve();
  await change;
});

test('a log entry that cannot be written does not prevent later entries', async () => {
  const failing = writeLogEntry(db, serverActor, new Date(Number.NaN), { action: 'opened', thing: 'report' });
  await expect(failing).rejects.toThrow('Invalid time value');
  const next = log('next');
  await waitForSyncs(1);
  pendingSyncs[0]?.resolve();
  await next;
  expect(await readLabels()).toEqual(['next']);
});

test('waitUntilDurable also waits for a write with a RETURNING clause outside a transaction', async () => {
  expect(waitUntilDurable(db)).toBeUndefined();
  await incrementCounter(db, 'numbers');
  const synced = waitUntilDurable(db);
  expect(synced).toBeInstanceOf(Promise);
  pendingSyncs[0]?.resolve();
  await synced;
});

const setMaxPages = (count: number) => sql`pragma max_page_count = ${sql.lit(count)}`.execute(db);
const large = 'x'.repeat(10_000);

async function fillDisk(): Promise<void> {
  const file = getSqliteConnection(db);
  if (file) file.groupSync = undefined;
  await setMaxPages(1); // SQLite takes the present number of pages instead.
}

test('on a full disk, changes are rejected and log entries wait until it has space', async () => {
  await fillDisk();
  const change = writeTransaction(db, serverActor, new Date(), async (_, logActivity) =>
    logActivity({ action: 'deleted', thing: 'report', label: large }),
  );
  await expect(change).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  for (const name of ['first', 'second', 'third']) await log(`${name} ${large}`);
  await expect(writeWaitingEntries(db)).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  expect(await readLabels()).toEqual([]);

  await setMaxPages(2 ** 30);
  await writeWaitingEntries(db);
  await log('fourth');
  await writeWaitingEntries(db);
  expect((await readLabels()).map((label) => label.split(' ')[0])).toEqual(['first', 'second', 'third', 'fourth']);
});

test('while 10,000 log entries wait for a full disk, further ones are rejected', async () => {
  await fillDisk();
  for (let count = 0; count < 10_000; count += 1) await log(count === 0 ? large : '');
  await expect(log(large)).rejects.toMatchObject({ code: 'SQLITE_FULL' });
  await setMaxPages(2 ** 30);
  await writeWaitingEntries(db);
  expect(await readLabels()).toHaveLength(10_000);
});
