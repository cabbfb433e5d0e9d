// Previews for lists, created once and cached in a folder of this machine. Missing ones are created
// again.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { ImageProcessor } from './image-processor.ts';
import { isDataFolderExclusive } from './open-store.ts';
import { type FileStore, openDiskStore } from './store.ts';
import { getFilePath } from './upload-path.ts';

export type Previews = {
  /** The cache, with each preview under the path of its original. */
  store: FileStore;
  /**
   * Returns an upload's preview (WebP), or undefined if there is no such file. Does not check
   * access. Throws what the image processor throws.
   */
  read(path: string, user: string): Promise<Buffer | undefined>;
  /** Creates the preview when no other image is waiting. */
  schedulePreview(path: string): void;
  /**
   * Resolves when no preview is being written. Does not wait for reads, since a bucket may be slow.
   */
  close(): Promise<void>;
};

export async function openPreviews(
  config: Config,
  files: FileStore,
  imageProcessor: ImageProcessor,
): Promise<Previews> {
  const store = await openDiskStore(join(config.dataDir, 'previews'), { isInUse: !isDataFolderExclusive(config) });
  let isClosed = false;
  let drawn: Promise<unknown> = Promise.resolve();
  const writing = new Set<Promise<void>>();

  async function read(upload: string, when: 'now' | 'later', user?: string) {
    const path = getFilePath(upload);
    const known = await store.read(path).catch(() => undefined);
    if (known) return known;
    const original = await files.read(path);
    if (!original) return undefined;
    const preview = await imageProcessor.preview(original, when, user);
    if (!isClosed) await keep(path, preview);
    return preview;
  }

  /** If it cannot be stored, it is created again next time. */
  async function keep(path: string, preview: Buffer) {
    const written = store.write(path, preview).catch(() => {});
    writing.add(written);
    await written;
    writing.delete(written);
  }

  return {
    store,
    read: (upload, user) => read(upload, 'now', user),
    schedulePreview(upload) {
      drawn = drawn.then(() => (isClosed ? undefined : read(upload, 'later'))).catch(() => {});
    },
    async close() {
      isClosed = true;
      await Promise.all(writing);
    },
  };
}
