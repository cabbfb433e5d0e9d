// Files needed only during a request: an upload as it arrives, an image as it is re-encoded.
import { copyFile, mkdir, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../ids.ts';
import { sync } from './sync.ts';

export type TemporaryFiles = {
  /** Returns a path for a new file. The caller deletes the file. */
  newPath(): string;
};

const hourMs = 60 * 60 * 1000;

/**
 * Opens the folder, created if needed, and deletes what a killed server left in it. `isInUse`:
 * another process may be using it, so only files older than an hour are deleted.
 */
export async function openTemporaryFiles(folder: string, { isInUse = false } = {}): Promise<TemporaryFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const { mtimeMs = Date.now() } = await stat(path).catch(() => ({}) as { mtimeMs?: number });
    if (!isInUse || Date.now() - mtimeMs > hourMs) await rm(path, { recursive: true, force: true });
  }
  return { newPath: () => join(folder, newId()) };
}

/** Never rejects: files that cannot be deleted now are deleted at the next start. */
export async function deleteTemporary(...paths: (string | undefined)[]): Promise<void> {
  await Promise.all(paths.map((path) => path && unlink(path).catch(() => {})));
}

/** Renames a file; if the new path is on another disk, copies it and syncs the copy. */
export async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await sync(to);
    await deleteTemporary(from);
  }
}
