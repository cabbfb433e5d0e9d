// Where files rest: the one interface, which a folder on the disk or a bucket can stand behind. Files never change once written.
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { HttpError } from '../errors/http-error.ts';
import { newId } from '../ids.ts';
import { toStorageError } from './disk-space.ts';
import type { StoredExt } from './image-processor.ts';
import { sync } from './sync.ts';

export type StoredFile = { path: string; modified: Date };

/** Every `path` is one that `newFilePath` made; any other is refused with 404 before the store is touched. */
export type FileStore = {
  kind: 'folder' | 'bucket';
  /** When it resolves, the file is there whole and survives a power cut. When it rejects, nothing is there, or what is goes with the sweep. Refuses with 507 (full) or 503. */
  write(path: string, bytes: Buffer): Promise<void>;
  read(path: string): Promise<Buffer | undefined>;
  /** The caller ends or destroys the stream. */
  open(path: string): Promise<{ stream: Readable; size: number } | undefined>;
  /** Removing what is not there is no fault. */
  remove(path: string): Promise<void>;
  /** In no promised order. Files that come or go meanwhile may be in it or not. */
  list(): AsyncIterable<StoredFile>;
  /** Whether files can be had at the moment; within two seconds, and looked at no more often than that. Never rejects. */
  isAnswering(): Promise<boolean>;
};

const filePathPattern = /^\d{4}\/\d{2}\/[a-z2-7]{26}\.(?:jpg|png|webp)$/;

/** `YYYY/MM/<26 characters>.ext`: the month in UTC, and 128 random bits that nobody guesses. */
export function newFilePath(ext: StoredExt, now: Date) {
  return `${now.toISOString().slice(0, 7).replace('-', '/')}/${newId()}.${ext}`;
}

/** Whether a text is the path of a file here, by its shape alone. No such text can lead out of the store. */
export function isFilePath(path: string) {
  return filePathPattern.test(path);
}

/** Refuses with 404 what `isFilePath` does not know. For every implementation of the store, first thing. */
export function assertFilePath(path: string) {
  if (!isFilePath(path)) throw new HttpError(404, 'File not found');
}

/**
 * A store in a folder, which is made if need be. What a crash left half written is removed, unless `isInUse`
 * says that another process (the server, while a command runs) may be writing at this moment.
 */
export async function openDiskStore(folder: string, { isInUse = false } = {}): Promise<FileStore> {
  const root = resolve(folder);
  const drafts = join(root, '.unfinished');
  const topmost = await mkdir(root, { recursive: true, mode: 0o750 });
  if (topmost) await syncFolders(dirname(root), dirname(topmost));
  if (!isInUse) await rm(drafts, { recursive: true, force: true });
  await mkdir(drafts, { recursive: true, mode: 0o750 });

  const at = (path: string) => {
    assertFilePath(path);
    return join(root, path);
  };

  /** The folders of months that are on the disk for good: made by the first who writes there, awaited by all. */
  const months = new Map<string, Promise<void>>();
  async function makeMonth(folder: string) {
    await mkdir(folder, { recursive: true, mode: 0o750 });
    await syncFolders(dirname(folder), root);
  }

  return {
    kind: 'folder',

    async write(path, bytes) {
      const target = at(path);
      const month = dirname(target);
      let placed = join(drafts, newId());
      try {
        const made = months.get(month) ?? makeMonth(month);
        months.set(month, made);
        await made;
        await writeAtomically(placed, bytes);
        await rename(placed, target);
        placed = target;
        await syncFolders(month, month);
      } catch (error) {
        months.delete(month);
        await rm(placed, { force: true }).catch(() => {}); // left to the next start, or to the sweeper
        throw toStorageError(error);
      }
    },

    async read(path) {
      return readFile(at(path)).catch(ifMissing(undefined));
    },

    async open(path) {
      const file = await open(at(path)).catch(ifMissing(undefined));
      if (!file) return undefined;
      try {
        const { size } = await file.stat();
        return { stream: file.createReadStream(), size };
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async remove(path) {
      await rm(at(path), { force: true });
    },

    async *list() {
      for await (const year of folders(root, /^\d{4}$/)) {
        for await (const month of folders(join(root, year), /^\d{2}$/)) {
          for await (const { name } of entries(join(root, year, month))) {
            const path = `${year}/${month}/${name}`;
            if (!isFilePath(path)) continue;
            const found = await stat(join(root, path)).catch(ifMissing(undefined));
            if (found) yield { path, modified: found.mtime };
          }
        }
      }
    },

    async isAnswering() {
      return stat(root).then(
        () => true,
        () => false,
      );
    },
  };
}

async function* entries(folder: string) {
  const found = await opendir(folder).catch(ifMissing(undefined));
  if (found) yield* found;
}

async function* folders(parent: string, pattern: RegExp) {
  for await (const entry of entries(parent)) if (entry.isDirectory() && pattern.test(entry.name)) yield entry.name;
}

async function writeAtomically(path: string, bytes: Buffer) {
  const file = await open(path, 'wx', 0o640);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Syncs a folder and those above it, up to and with `last`. A name is kept by the folder it is in: without
 * this, a power cut can lose a file that is itself on the disk.
 */
async function syncFolders(folder: string, last: string) {
  await sync(folder);
  if (folder !== last) await syncFolders(dirname(folder), last);
}

const ifMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
