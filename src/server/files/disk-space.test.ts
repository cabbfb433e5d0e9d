import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { HttpError } from '../errors/http-error.ts';
import { createTestFolder } from '../testing/folder.ts';
import { mountSmallDisk } from '../testing/small-disk.ts';
import { createSpaceGuard, type SpaceGuardOptions, toStorageError } from './disk-space.ts';

const MiB = 2 ** 20;
let folder: string;
beforeEach(() => {
  folder = createTestFolder(onTestFinished);
});

const ballast = () => join(folder, 'ballast');

/**
 * Creates a disk space guard that, without options, rejects nothing and creates no ballast file.
 */
const createGuard = (options: Partial<SpaceGuardOptions>) =>
  createSpaceGuard({
    folder,
    ballastBytes: 0,
    ballastRoomBytes: 0,
    minFreeForUploads: 0,
    minFreeShareForUploads: 0,
    minFreeForWrites: 0,
    ...options,
  });

test('no write is rejected while the disk has enough space', async () => {
  const guard = createGuard({});
  await guard.check('upload');
  await guard.check('write');
});

test('low disk space rejects uploads and allows other writes', async () => {
  for (const limits of [{ minFreeForUploads: Number.MAX_VALUE }, { minFreeShareForUploads: 1.01 }]) {
    const guard = createGuard(limits);
    await expect(guard.check('upload')).rejects.toMatchObject({ status: 507 });
    await guard.check('write');
  }
});

test('a nearly full disk also rejects other writes, with a retry time', async () => {
  const guard = createGuard({ minFreeForWrites: Number.MAX_VALUE });
  await expect(guard.check('write')).rejects.toMatchObject({ status: 503, details: { retryAfter: 60 } });
  await expect(guard.check('upload')).rejects.toMatchObject({ status: 503 });
});

test('the ballast file is created once, takes real disk space and can be released', async () => {
  const guard = createGuard({ ballastBytes: 3 * MiB + 5 });
  await guard.maintainBallast();
  expect(statSync(ballast()).size).toBe(3 * MiB + 5);
  expect(statSync(ballast()).blocks * 512).toBeGreaterThanOrEqual(3 * MiB);
  const { ino } = statSync(ballast());
  await guard.restoreBallast();
  expect(statSync(ballast()).ino).toBe(ino);
  await guard.releaseBallast();
  expect(existsSync(ballast())).toBe(false);
});

test('no ballast file is created if little disk space is free or its size is set to 0', async () => {
  await createGuard({ ballastBytes: MiB, ballastRoomBytes: Number.MAX_VALUE }).maintainBallast();
  await createGuard({}).maintainBallast();
  expect(existsSync(ballast())).toBe(false);
});

test('errors of failed writes become 507 (disk full) or 503 (unavailable), and other errors are unchanged', () => {
  const failed = (code: string) => Object.assign(new Error(code), { code });
  for (const code of ['ENOSPC', 'EDQUOT', 'SQLITE_FULL']) {
    const error = toStorageError(failed(code));
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ status: 507, cause: { code } });
  }
  for (const code of ['EROFS', 'EIO', 'EMFILE']) expect(toStorageError(failed(code))).toMatchObject({ status: 503 });
  const other = failed('EACCES');
  expect(toStorageError(other)).toBe(other);
  expect(toStorageError(undefined)).toBeUndefined();
});

test('the ballast file is released on a full disk and created again later', async ({ skip }) => {
  const disk = mountSmallDisk(join(folder, 'small-disk'), '8m') ?? skip('a disk of its own needs root');
  const small = { folder: disk.folder, ballastBytes: 2 * MiB, ballastRoomBytes: 4 * MiB };
  try {
    const guard = createGuard({ ...small, minFreeForUploads: 3 * MiB, minFreeForWrites: MiB });
    await guard.maintainBallast();
    expect(existsSync(join(disk.folder, 'ballast'))).toBe(true);
    await guard.check('upload');

    disk.fill();
    await guard.maintainBallast();
    expect(existsSync(join(disk.folder, 'ballast'))).toBe(false);
    writeFileSync(join(disk.folder, 'small'), Buffer.alloc(MiB)); // a write as large as that of a sign-in or a deletion
    await expect(guard.check('upload')).rejects.toMatchObject({ status: 507 });

    disk.free();
    await guard.maintainBallast();
    expect(existsSync(join(disk.folder, 'ballast'))).toBe(true);
    await guard.check('upload');
  } finally {
    disk.unmount();
  }
});
