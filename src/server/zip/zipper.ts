// Writes files into a folder, and zips them in a child process.
import { createWriteStream } from 'node:fs';
import { mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { SpaceGuard } from '../files/disk-space.ts';
import type { TemporaryFiles } from '../files/temporary-files.ts';
import { createPool, type Pool } from '../workers/pool.ts';
import type { ZipJob, ZipResult } from './zip-child.ts';

export type Zipper = Pool<ZipJob, ZipResult>;

/** Two children, so that a copy for an access request does not wait for a large pack. */
export const createZipper = (): Zipper =>
  createPool({
    script: new URL('./zip-child.ts', import.meta.url),
    size: 2,
    maxWaiting: 10,
    timeoutMs: 10 * 60_000,
    idleMs: 1000,
  });

/** Writes a file and resolves with the bytes of all files written so far. Throws if the disk is nearly full. */
export type FileWriter = (name: string, content: Uint8Array | AsyncIterable<string>) => Promise<number>;

export function createFileWriter(space: SpaceGuard, folder: string): FileWriter {
  let bytes = 0;
  return async (name, content) => {
    await space.check('upload');
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await pipeline(content instanceof Uint8Array ? [content] : Readable.from(content), createWriteStream(path));
    bytes += (await stat(path)).size;
    return bytes;
  };
}

type ZipRequest = {
  space: SpaceGuard;
  temporaryFiles: TemporaryFiles;
  zipper: Zipper;
  user: { id: string };
  now: Date;
  signal: AbortSignal;
};

/**
 * Returns the zip of the files that `addFiles` writes. Nothing is left on disk when the stream has
 * ended or the signal aborts.
 */
export async function createZipStream(
  { space, temporaryFiles, zipper, user, now, signal }: ZipRequest,
  addFiles: (add: FileWriter) => Promise<void>,
): Promise<Readable> {
  const folder = temporaryFiles.newPath();
  const target = `${folder}.zip`;
  try {
    await addFiles(createFileWriter(space, folder));
    await zipper.run({ folder, target, madeAt: now.toISOString() }, { user: user.id, signal });
    const stream = (await open(target)).createReadStream();
    signal.addEventListener('abort', () => stream.destroy());
    if (signal.aborted) stream.destroy();
    return stream;
  } finally {
    // A file that is open can be read to its end after it is deleted.
    for (const path of [folder, target]) await rm(path, { recursive: true, force: true });
  }
}
