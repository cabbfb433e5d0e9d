// The interface of file stores: a folder or a bucket. Files never change once written.
import { mkdir, open, opendir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { HttpError } from '../errors/http-error.ts';
import { newId } from '../ids.ts';
import { toStorageError } from './disk-space.ts';
import type { StoredExt } from './image-processor.ts';
import { sync } from './sync.ts';
import { moveFile } from './temporary-files.ts';

/** From the first byte to the last, both included. */
export type ByteRange = { start: number; end: number };

export type StoredFile = { path: string; modifiedAt: Date };

/**
 * A store of files. Paths come from `newFilePath` or are those of packs; every method throws 404
 * for any other path.
 */
export type FileStore = {
  kind: 'folder' | 'bucket';
  /**
   * When it resolves, the file is complete and survives a power cut. When it rejects, there is no
   * file, or the cleanup of unused uploads deletes it. Throws 507 (full) or 503.
   */
  write(path: string, bytes: Buffer): Promise<void>;
  /** Like `write`, but moves a local file into the store. `isSynced`: it is on disk already. */
  move(path: string, file: string, options?: { isSynced?: boolean }): Promise<void>;
  read(path: string): Promise<Buffer | undefined>;
  /** The local path of the file if it exists; undefined for a bucket. */
  getLocalPath(path: string): string | undefined;
  /**
   * Opens the file, or the part of it in `range`. The caller reads the stream to its end or
   * destroys it.
   */
  open(path: string, range?: ByteRange): Promise<{ stream: Readable; size: number } | undefined>;
  /** Deleting a missing file is not an error. */
  remove(path: string): Promise<void>;
  /**
   * Yields the images in any order, without packs. Files added or deleted in the meantime may or
   * may not appear.
   */
  list(): AsyncIterable<StoredFile>;
  /**
   * Whether files are available; responds within two seconds, and checks at most that often. Never
   * rejects.
   */
  isAvailable(): Promise<boolean>;
};

const filePathPattern = /^\d{4}\/\d{2}\/[a-z2-7]{26}\.(?:jpg|png|webp)$/;

/** `YYYY/MM/<26 characters>.ext`: the month in UTC and 128 random bits. */
export const newFilePath = (ext: StoredExt, now: Date) =>
  `${now.toISOString().slice(0, 7).replace('-', '/')}/${newId()}.${ext}`;

/** Whether a text has the form of a file path. No such text can lead out of the store. */
export const isFilePath = (path: string) => filePathPattern.test(path);

const packPathPattern = /^packs\/[a-z2-7]{26}\.zip$/;

/** Whether the path is that of a pack, which may be large and is not an upload. */
export const isPackPath = (path: string) => packPathPattern.test(path);

/** Throws 404 if the path is invalid. Every store calls this first. */
export function assertFilePath(path: string) {
  if (!isFilePath(path) && !isPackPath(path)) throw new HttpError(404, 'File not found');
}

/**
 * Opens a store in a folder, created if needed. Deletes half-written files, unless `isInUse` says
 * that another process may be writing.
 */
export async function openDiskStore(folder: string, { isInUse = false } = {}): Promise<FileStore> {
  const root = resolve(folder);
  const drafts = join(root, '.unfinished');
  const firstCreated = await mkdir(root, { recursive: true, mode: 0o750 });
  if (firstCreated) await syncFolders(dirname(root), dirname(firstCreated));
  if (!isInUse) await rm(drafts, { recursive: true, force: true });
  await mkdir(drafts, { recursive: true, mode: 0o750 });

  const getFullPath = (path: string) => {
    assertFilePath(path);
    return join(root, path);
  };

  /**
   * By folder of a month: a promise for its creation and sync, which the first writer of a file in it
   * starts and all writers await.
   */
  const months = new Map<string, Promise<void>>();
  async function createMonthFolder(folder: string) {
    await mkdir(folder, { recursive: true, mode: 0o750 });
    await syncFolders(dirname(folder), root);
  }

  /** Stores the file that `create` writes and syncs to a draft path, completely or not at all. */
  async function placeFile(path: string, create: (draft: string) => Promise<void>) {
    const target = getFullPath(path);
    const month = dirname(target);
    let draftPath = join(drafts, newId());
    try {
      const monthFolder = months.get(month) ?? createMonthFolder(month);
      months.set(month, monthFolder);
      await monthFolder;
      await create(draftPath);
      await rename(draftPath, target);
      draftPath = target;
      await syncFolders(month, month);
    } catch (error) {
      months.delete(month);
      await rm(draftPath, { force: true }).catch(() => {}); // the next start or cleanup deletes it
      throw toStorageError(error);
    }
  }

  return {
    kind: 'folder',
    write: (path, bytes) =>
      placeFile(path, (draft) => writeFile(draft, bytes, { flag: 'wx', mode: 0o640, flush: true })),
    move: (path, file, { isSynced = false } = {}) =>
      placeFile(path, async (draft) => {
        await moveFile(file, draft);
        if (!isSynced) await sync(draft);
      }),
    getLocalPath: getFullPath,

    async read(path) {
      return readFile(getFullPath(path)).catch(undefinedIfMissing);
    },

    async open(path, range) {
      const file = await open(getFullPath(path)).catch(undefinedIfMissing);
      if (!file) return undefined;
      try {
        const { size } = await file.stat();
        return { stream: file.createReadStream(range), size };
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async remove(path) {
      await rm(getFullPath(path), { force: true });
    },

    async *list() {
      for await (const year of listFolders(root, /^\d{4}$/)) {
        for await (const month of listFolders(join(root, year), /^\d{2}$/)) {
          for await (const { name } of listEntries(join(root, year, month))) {
            const path = `${year}/${month}/${name}`;
            if (!isFilePath(path)) continue;
            const stats = await stat(join(root, path)).catch(undefinedIfMissing);
            if (stats) yield { path, modifiedAt: stats.mtime };
          }
        }
      }
    },

    async isAvailable() {
      return stat(root).then(
        () => true,
        () => false,
      );
    },
  };
}

async function* listEntries(folder: string) {
  const directory = await opendir(folder).catch(undefinedIfMissing);
  if (directory) yield* directory;
}

async function* listFolders(parent: string, pattern: RegExp) {
  for await (const entry of listEntries(parent)) if (entry.isDirectory() && pattern.test(entry.name)) yield entry.name;
}

/**
 * Syncs a folder and its parents up to `last`. A file's name is stored in its folder, so without
 * this a power cut can lose a synced file.
 */
async function syncFolders(folder: string, last: string) {
  await sync(folder);
  if (folder !== last) await syncFolders(dirname(folder), last);
}

/**
 * Handles the error of a file operation: returns undefined if the file does not exist, otherwise
 * throws the error.
 */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
