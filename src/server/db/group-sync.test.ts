import { expect, test } from 'vitest';
import { createGroupSync } from './group-sync.ts';

/** Creates a fake disk on which the test decides when each sync ends. */
function createDisk() {
  const startedSyncs: PromiseWithResolvers<void>[] = [];
  return {
    startedSyncs,
    sync() {
      startedSyncs.push(Promise.withResolvers<void>());
      return startedSyncs.at(-1)?.promise as Promise<void>;
    },
  };
}

const runMicrotasks = async () => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

const failTest = (error: Error) => {
  throw error;
};

function watch(promise: Promise<void> | undefined) {
  const state = { isDone: promise === undefined };
  void promise?.then(() => {
    state.isDone = true;
  });
  return state;
}

test('the disk is not synced without a commit', () => {
  const disk = createDisk();
  expect(createGroupSync(disk.sync, failTest).waitUntilSynced()).toBeUndefined();
  expect(disk.startedSyncs).toHaveLength(0);
});

test('a commit waits for a disk sync, and simultaneous commits share one', async () => {
  const disk = createDisk();
  const group = createGroupSync(disk.sync, failTest);
  group.countCommit();
  const first = watch(group.waitUntilSynced());
  const second = watch(group.waitUntilSynced());
  await runMicrotasks();
  expect(disk.startedSyncs).toHaveLength(1);
  expect([first.isDone, second.isDone]).toEqual([false, false]);
  disk.startedSyncs[0]?.resolve();
  await runMicrotasks();
  expect([first.isDone, second.isDone]).toEqual([true, true]);
  expect(disk.startedSyncs).toHaveLength(1);
  expect(group.waitUntilSynced()).toBeUndefined();
});

test('a disk sync does not cover commits made after it started', async () => {
  const disk = createDisk();
  const group = createGroupSync(disk.sync, failTest);
  group.countCommit();
  const first = watch(group.waitUntilSynced());
  await runMicrotasks();
  group.countCommit();
  const second = watch(group.waitUntilSynced());
  disk.startedSyncs[0]?.resolve();
  await runMicrotasks();
  expect([first.isDone, second.isDone]).toEqual([true, false]);
  expect(disk.startedSyncs).toHaveLength(2);
  disk.startedSyncs[1]?.resolve();
  await runMicrotasks();
  expect(second.isDone).toBe(true);
});

test('a commit made during a disk sync needs another sync, even if nothing waits for it yet', async () => {
  const disk = createDisk();
  const group = createGroupSync(disk.sync, failTest);
  group.countCommit();
  const first = group.waitUntilSynced();
  group.countCommit();
  disk.startedSyncs[0]?.resolve();
  await first;
  await runMicrotasks();
  const second = watch(group.waitUntilSynced());
  await runMicrotasks();
  expect([second.isDone, disk.startedSyncs.length]).toEqual([false, 2]);
  disk.startedSyncs[1]?.resolve();
  await runMicrotasks();
  expect(second.isDone).toBe(true);
});

test('a failed disk sync is reported, and calls that wait for it never resolve', async () => {
  const disk = createDisk();
  const failures: Error[] = [];
  const group = createGroupSync(disk.sync, (error) => failures.push(error));
  group.countCommit();
  const pendingSync = watch(group.waitUntilSynced());
  disk.startedSyncs[0]?.reject(new Error('EIO'));
  await runMicrotasks();
  expect(failures.map(({ message }) => message)).toEqual(['EIO']);
  group.countCommit();
  const laterSync = watch(group.waitUntilSynced());
  await runMicrotasks();
  expect([pendingSync.isDone, laterSync.isDone]).toEqual([false, false]);
  expect(disk.startedSyncs).toHaveLength(1);
});

test('closing the group sync waits for the running disk sync and starts no other', async () => {
  const disk = createDisk();
  const group = createGroupSync(disk.sync, failTest);
  group.countCommit();
  watch(group.waitUntilSynced());
  await runMicrotasks();
  group.countCommit();
  watch(group.waitUntilSynced());
  const closing = watch(group.close());
  await runMicrotasks();
  expect(closing.isDone).toBe(false);
  disk.startedSyncs[0]?.resolve();
  await runMicrotasks();
  expect(closing.isDone).toBe(true);
  expect(disk.startedSyncs).toHaveLength(1);
});
