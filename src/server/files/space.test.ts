import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Refusal } from '../http/errors.ts';
import { createSpaceGuard, refusalOfDisk } from './space.ts';

const MiB = 2 ** 20;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'space-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ballast = () => join(folder, 'ballast');

test('with room for everything nothing is refused', async () => {
  const guard = createSpaceGuard({ folder, uploadBytes: 0, uploadShare: 0, writeBytes: 0 });
  await guard.check('upload');
  await guard.check('write');
});

test('when space grows short uploads go first, and other writes go on', async () => {
  for (const short of [
    { uploadBytes: Number.MAX_VALUE, uploadShare: 0 },
    { uploadBytes: 0, uploadShare: 1.01 },
  ]) {
    const guard = createSpaceGuard({ folder, writeBytes: 0, ...short });
    await expect(guard.check('upload')).rejects.toMatchObject({ status: 507 });
    await guard.check('write');
  }
});

test('when space is all but gone other writes are refused too, to be tried again later', async () => {
  const guard = createSpaceGuard({ folder, uploadBytes: 0, uploadShare: 0, writeBytes: Number.MAX_VALUE });
  await expect(guard.check('write')).rejects.toMatchObject({ status: 503, details: { retryAfter: 60 } });
  await expect(guard.check('upload')).rejects.toMatchObject({ status: 503 });
});

test('the ballast is made once where there is room, takes real room, and goes when released', async () => {
  const guard = createSpaceGuard({ folder, ballastBytes: 3 * MiB + 5, roomyBytes: 0 });
  await guard.tend();
  expect(statSync(ballast()).size).toBe(3 * MiB + 5);
  expect(statSync(ballast()).blocks * 512).toBeGreaterThanOrEqual(3 * MiB);
  const { ino } = statSync(ballast());
  await guard.restoreBallast();
  expect(statSync(ballast()).ino).toBe(ino);
  await guard.releaseBallast();
  expect(existsSync(ballast())).toBe(false);
});

test('no ballast is made where there is little room, or when none is wanted', async () => {
  await createSpaceGuard({ folder, ballastBytes: MiB, roomyBytes: Number.MAX_VALUE }).tend();
  await createSpaceGuard({ folder, ballastBytes: 0, roomyBytes: 0 }).tend();
  expect(existsSync(ballast())).toBe(false);
});

test('failed writes become answers: full is 507, unwell is 503, anything else stays what it is', () => {
  const failed = (code: string) => Object.assign(new Error(code), { code });
  for (const code of ['ENOSPC', 'EDQUOT', 'SQLITE_FULL']) {
    const refusal = refusalOfDisk(failed(code));
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ status: 507, cause: { code } });
  }
  for (const code of ['EROFS', 'EIO', 'EMFILE']) expect(refusalOfDisk(failed(code))).toMatchObject({ status: 503 });
  const other = failed('EACCES');
  expect(refusalOfDisk(other)).toBe(other);
  expect(refusalOfDisk(undefined)).toBeUndefined();
});

test('on a disk that fills up the ballast gives its room back, and returns when there is room', async ({ skip }) => {
  const mounted = join(folder, 'small-disk');
  mkdirSync(mounted);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', mounted]).status !== 0)
    skip('a disk of its own needs root');
  try {
    const guard = createSpaceGuard({
      folder: mounted,
      ballastBytes: 2 * MiB,
      roomyBytes: 4 * MiB,
      uploadBytes: 3 * MiB,
      writeBytes: MiB,
    });
    await guard.tend();
    expect(existsSync(join(mounted, 'ballast'))).toBe(true);
    await guard.check('upload');

    const filler = join(mounted, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(9 * MiB))).toThrow('ENOSPC');
    await guard.tend();
    expect(existsSync(join(mounted, 'ballast'))).toBe(false);
    writeFileSync(join(mounted, 'small'), Buffer.alloc(MiB)); // a login's row, a delete
    await expect(guard.check('upload')).rejects.toMatchObject({ status: 507 });

    rmSync(filler);
    await guard.tend();
    expect(existsSync(join(mounted, 'ballast'))).toBe(true);
    await guard.check('upload');
  } finally {
    spawnSync('umount', [mounted]);
  }
});
