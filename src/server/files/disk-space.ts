// The disk guard: uploads stop before the disk is full, other writes a little later, and a ballast file keeps room for what must go on.
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpError } from '../errors/http-error.ts';

const MiB = 2 ** 20;

export type SpaceGuardOptions = {
  /** The data folder; the database and the files rest on its disk. */
  folder: string;
  /** Size of the ballast file; 0 for none. */
  ballastBytes: number;
  /** Uploads are off below the larger of these two, the second a share of the whole disk: 0.05 where nothing is said. */
  uploadBytes: number;
  uploadShare?: number;
  /** All other writes are off below this. */
  writeBytes: number;
  /** The ballast is made (again) when more than this is free. */
  roomyBytes: number;
};

export type SpaceGuard = {
  /** Refuses when space is short: an upload with 507, any other write with 503. Looks at the disk once a second at most. Logins and deletes do not ask. */
  check(what: 'upload' | 'write'): Promise<void>;
  /** Before anything that may write a little (a session's last use, a delete): gives the ballast's room back when the disk is all but full. Never refuses. */
  freeBallastIfLow(): Promise<void>;
  /** Bytes free and in all on the folder's disk. */
  getSpace(): Promise<{ free: number; total: number }>;
  /** Releases the ballast when the disk is all but full and makes it again when there is room. At start, before the database is opened, and every minute. */
  maintainBallast(): Promise<void>;
  /** Gives the ballast's room back; for when a write has just failed for want of it. */
  releaseBallast(): Promise<void>;
  /** Makes the ballast where it is missing and there is room for it. */
  restoreBallast(): Promise<void>;
};

export function createSpaceGuard(options: SpaceGuardOptions): SpaceGuard {
  const { folder, ballastBytes, uploadBytes, uploadShare = 0.05, writeBytes, roomyBytes } = options;
  const ballast = join(folder, 'ballast');
  const draft = join(folder, 'ballast.unfinished');
  let recent: { at: number; space: ReturnType<typeof getSpace> } | undefined;

  async function getSpace() {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, total: blocks * bsize };
  }

  function getRecentSpace() {
    if (!recent || performance.now() - recent.at > 1000) recent = { at: performance.now(), space: getSpace() };
    return recent.space;
  }

  const ballastSize = () =>
    stat(ballast).then(
      (found) => found.size,
      () => 0,
    );

  async function releaseBallast() {
    await rm(ballast, { force: true });
    await rm(draft, { force: true });
    recent = undefined;
  }

  async function restoreBallast() {
    if ((await ballastSize()) >= ballastBytes || (await getSpace()).free <= roomyBytes) return;
    await makeBallast();
    recent = undefined;
  }

  /** Of random bytes, so that no file system packs it away, and whole or not at all. */
  async function makeBallast() {
    try {
      const file = await open(draft, 'w', 0o640);
      try {
        const piece = randomBytes(Math.min(MiB, ballastBytes));
        for (let left = ballastBytes; left > 0; left -= piece.length)
          await file.write(piece, 0, Math.min(left, piece.length));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, ballast);
    } catch (error) {
      await rm(draft, { force: true });
      throw toStorageError(error);
    }
  }

  return {
    getSpace,
    async freeBallastIfLow() {
      const { free } = await getRecentSpace();
      if (free < ballastBytes / 2) await releaseBallast();
    },
    async check(what) {
      const { free, total } = await getRecentSpace();
      if (what === 'upload' && free < Math.max(uploadBytes, uploadShare * total)) throw createNoPhotoSpaceError();
      if (free < writeBytes) throw createNoSpaceError(503);
    },
    async maintainBallast() {
      await mkdir(folder, { recursive: true, mode: 0o750 });
      const { free } = await getSpace();
      if (free < ballastBytes / 2) await releaseBallast();
      else await restoreBallast();
    },
    releaseBallast,
    restoreBallast,
  };
}

const createNoPhotoSpaceError = () =>
  new HttpError(507, 'The server is running out of space and cannot take photos now. Please tell your administrator.');
const createNoSpaceError = (status: 503 | 507) =>
  new HttpError(status, 'The server has run out of space and cannot save now. Please tell your administrator.', {
    retryAfter: 60,
  });
const createUnavailableError = () =>
  new HttpError(503, 'The server cannot save at the moment. Please try again soon.', { retryAfter: 30 });

// 53100 is PostgreSQL's disk_full; class 57P is a server that is shutting down or starting.
const fullDiskCodes = ['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL', '53100'];
const transientStorageCodes = ['EROFS', 'EIO', 'EMFILE', 'ENFILE', 'SQLITE_CANTOPEN', '57P01', '57P02', '57P03'];
const transientSqliteCode = /^SQLITE_(?:IOERR|READONLY|BUSY)/;

/** Whether an error is a write that found no room, as it came or as `toStorageError` made it. */
export const isFullDisk = (error: unknown) =>
  fullDiskCodes.includes(((error as { cause?: unknown }).cause as NodeJS.ErrnoException | undefined)?.code ?? '') ||
  fullDiskCodes.includes((error as NodeJS.ErrnoException).code ?? '');

/** What a failed write is to the person waiting: 507 when the disk is full, 503 when it cannot be written; any other error stays itself. */
export function toStorageError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (fullDiskCodes.includes(code)) return Object.assign(createNoSpaceError(507), { cause: error });
  if (transientStorageCodes.includes(code) || transientSqliteCode.test(code))
    return Object.assign(createUnavailableError(), { cause: error });
  return error;
}
