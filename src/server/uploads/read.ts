import type { FileStore } from '../files/store.ts';
import { getFilePath } from '../files/upload-path.ts';

/** Returns the bytes of the uploads that still exist, by path. */
export async function readImages(files: FileStore, paths: string[]): Promise<Record<string, Buffer>> {
  const read = await Promise.all(paths.map(async (path) => [path, await files.read(getFilePath(path))] as const));
  return Object.fromEntries(read.filter((entry): entry is [string, Buffer] => entry[1] !== undefined));
}
