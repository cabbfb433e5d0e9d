// Disk space guard: rejects uploads before the disk is full, and other writes a little later. A
// ballast file reserves space: deleting it makes room for essential writes on a full disk.
import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpError } from '../errors/http-error.ts';

const MiB = 2 ** 20;

/** How much more space must be free for guests to write than for staff. */
const guestMarginBytes = 64 * MiB;

export type SpaceGuardOptions = {
  /** The data folder, which contains the database and files. */
  folder: string;
  /** Size of the ballast file; 0 for none. */
  ballastBytes: number;
  /**
   * Uploads are rejected if less space is free than the larger of these: this many bytes, or that
   * share of the disk (default 0.05).
   */
  minFreeForUploads: number;
  minFreeShareForUploads?: number;
  /** Writes, except sign-ins and deletions, are rejected if fewer bytes than this are free. */
  minFreeForWrites: number;
  /** The ballast file is created only if more bytes than this are free. */
  ballastRoomBytes: number;
};

export type SpaceGuard = {
  /**
   * Throws if space is short: 507 for an upload, 503 for other writes, for those of guests before those of staff.
   * Reads the free space at most once a second. Do not call it for sign-ins and deletions.
   */
  check(what: 'upload' | 'write' | 'guest'): Promise<void>;
  /** Releases the ballast if the disk is almost full. Call before small essential writes. */
  releaseBallastIfLow(): Promise<void>;
  /** Returns the free and total bytes of the folder's disk. */
  getSpace(): Promise<{ freeBytes: number; totalBytes: number }>;
  /**
   * Releases the ballast if the disk is almost full, or creates it if there is room. Call at start,
   * before opening the database, and every minute.
   */
  maintainBallast(): Promise<void>;
  /** Releases the ballast after a write has failed. */
  releaseBallast(): Promise<void>;
  /** Creates the ballast if it is missing and there is room. */
  restoreBallast(): Promise<void>;
  /** Releases the space reserved for a start if the disk is almost full. Call before a start. */
  releaseStartReserve(): Promise<void>;
  /** Reserves space for the next start, as much as there is. Call after a start. */
  restoreStartReserve(): Promise<void>;
  /** Whether writes are rejected because space is short. */
  isFull(): Promise<boolean>;
};

export function createSpaceGuard(options: SpaceGuardOptions): SpaceGuard {
  const {
    folder,
    ballastBytes,
    minFreeForUploads,
    minFreeShareForUploads = 0.05,
    minFreeForWrites,
    ballastRoomBytes,
  } = options;
  const ballastPath = join(folder, 'ballast');
  const draftPath = join(folder, 'ballast.unfinished');
  const reservePath = join(folder, 'ballast.start');
  const reserveBytes = Math.min(MiB, ballastBytes);
  let lastReading: { at: number; space: ReturnType<typeof getSpace> } | undefined;

  async function getSpace() {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  }

  function getRecentSpace() {
    if (!lastReading || performance.now() - lastReading.at > 1000)
      lastReading = { at: performance.now(), space: getSpace() };
    return lastReading.space;
  }

  const getBallastBytes = () =>
    stat(ballastPath).then(
      (stats) => stats.size,
      () => 0,
    );

  async function releaseBallast() {
    await rm(ballastPath, { force: true });
    await rm(draftPath, { force: true });
    lastReading = undefined;
  }

  async function restoreBallast() {
    if ((await getBallastBytes()) >= ballastBytes || (await getSpace()).freeBytes <= ballastRoomBytes) return;
    await createBallast();
    lastReading = undefined;
  }

  /**
   * Creates the ballast file completely or not at all. It contains random bytes, so that no file
   * system can compress it.
   */
  async function createBallast() {
    try {
      const file = await open(draftPath, 'w', 0o640);
      try {
        const chunk = randomBytes(Math.min(MiB, ballastBytes));
        for (let remainingBytes = ballastBytes; remainingBytes > 0; remainingBytes -= chunk.length)
          await file.write(chunk, 0, Math.min(remainingBytes, chunk.length));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draftPath, ballastPath);
    } catch (error) {
      await rm(draftPath, { force: true });
      throw toStorageError(error);
    }
  }

  return {
    getSpace,
    async releaseStartReserve() {
      if ((await getSpace()).freeBytes < reserveBytes) await rm(reservePath, { force: true });
    },
    async restoreStartReserve() {
      if (reserveBytes === 0) return;
      const chunk = randomBytes(64 * 1024);
      const file = await open(reservePath, 'a', 0o640).catch(() => undefined);
      try {
        for (let size = (await file?.stat())?.size ?? reserveBytes; size < reserveBytes; size += chunk.length)
          if ((await file?.write(chunk))?.bytesWritten !== chunk.length) return;
      } catch (error) {
        if (!isFullDisk(error)) throw error;
      } finally {
        await file?.close();
      }
    },
    isFull: () =>
      getSpace().then(
        ({ freeBytes }) => freeBytes < minFreeForWrites,
        () => false,
      ),
    async releaseBallastIfLow() {
      const { freeBytes } = await getRecentSpace();
      if (freeBytes < ballastBytes / 2) await releaseBallast();
    },
    async check(what) {
      const { freeBytes, totalBytes } = await getRecentSpace();
      if (what === 'upload' && freeBytes < Math.max(minFreeForUploads, minFreeShareForUploads * totalBytes))
        throw createNoPhotoSpaceError();
      if (freeBytes < minFreeForWrites + (what === 'guest' ? guestMarginBytes : 0)) throw createNoSpaceError(503);
    },
    async maintainBallast() {
      await mkdir(folder, { recursive: true, mode: 0o750 });
      const { freeBytes } = await getSpace();
      if (freeBytes < ballastBytes / 2) await releaseBallast();
      else await restoreBallast();
    },
    releaseBallast,
    restoreBallast,
  };
}

const createNoPhotoSpaceError = () =>
  new HttpError(507, 'The server is running out of space and cannot store photos now. Please tell your administrator.');
const createNoSpaceError = (status: 503 | 507) =>
  new HttpError(status, 'The server has run out of space and cannot save now. Please tell your administrator.', {
    retryAfter: 60,
  });
const createUnavailableError = () =>
  new HttpError(503, 'The server cannot save at the moment. Please try again soon.', { retryAfter: 30 });

// 53100 is PostgreSQL's disk_full; class 57P means it is shutting down or starting.
const fullDiskCodes = ['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL', '53100'];
const transientStorageCodes = ['EROFS', 'EIO', 'EMFILE', 'ENFILE', 'SQLITE_CANTOPEN', '57P01', '57P02', '57P03'];
const transientSqliteCode = /^SQLITE_(?:IOERR|READONLY|BUSY)/;

/** Whether an error means a full disk, raw or as converted by `toStorageError`. */
export const isFullDisk = (error: unknown) =>
  fullDiskCodes.includes(((error as { cause?: unknown }).cause as NodeJS.ErrnoException | undefined)?.code ?? '') ||
  fullDiskCodes.includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Turns a failed write into 507 (disk full) or 503 (not writable); returns other errors unchanged.
 */
export function toStorageError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (fullDiskCodes.includes(code)) return Object.assign(createNoSpaceError(507), { cause: error });
  if (transientStorageCodes.includes(code) || transientSqliteCode.test(code))
    return Object.assign(createUnavailableError(), { cause: error });
  return error;
}
