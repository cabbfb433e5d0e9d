// The small pictures of lists: drawn once, and kept in a folder of this machine that can be spared: what is not in it is drawn again.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { ImageProcessor } from './image-processor.ts';
import { isDataFolderExclusive } from './open-store.ts';
import { type FileStore, openDiskStore } from './store.ts';
import { getFilePath } from './upload-path.ts';

export type Previews = {
  /** The folder, with each preview under the path of its original. */
  store: FileStore;
  /** An upload's preview (WebP), or nothing when there is no such file. Who may see it is not asked here. Refuses what the intake refuses. */
  read(path: string, user: string): Promise<Buffer | undefined>;
  /** Draws it as soon as nobody waits for another picture, so that it is there when people look. */
  schedulePreview(path: string): void;
  /** Resolves when nothing is written any more. What is still being read for a preview is not waited for: a bucket may take its time. */
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

  /** What cannot be kept is drawn again the next time. */
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
