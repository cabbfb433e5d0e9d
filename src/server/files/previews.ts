// Previews for lists, created once and cached in a folder of this machine. Missing ones are created
// again.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config.ts';
import { getImageType } from '../image-type.ts';
import type { ImageProcessor } from './image-processor.ts';
import { needsDataFolderLock } from './open-store.ts';
import { type FileStore, openDiskStore, undefinedIfMissing } from './store.ts';
import { deleteTemporary, moveFile, type TemporaryFiles } from './temporary-files.ts';
import { getFilePath } from './upload-path.ts';

type PreviewServices = { files: FileStore; imageProcessor: ImageProcessor; temporaryFiles: TemporaryFiles };

export type Previews = {
  /** The cache folder, in which each preview has the path of its original. */
  store: FileStore;
  /**
   * Returns an upload's preview (JPEG or WebP), or undefined if there is no such file. Does not
   * check access. Throws what the image processor throws.
   */
  read(path: string, user: string): Promise<Buffer | undefined>;
  /** Stores a preview that was created with its photo, from a temporary file. Never rejects. */
  storePreview(path: string, preview: string): Promise<void>;
  /** Creates the preview when no other image is waiting. */
  schedulePreview(path: string): void;
  /**
   * Resolves when no preview is being written. Does not wait for reads of originals, because a
   * bucket may be slow.
   */
  close(): Promise<void>;
};

export async function openPreviews(
  config: Config,
  { files, imageProcessor, temporaryFiles }: PreviewServices,
): Promise<Previews> {
  const store = await openDiskStore(join(config.dataDir, 'previews'), { isInUse: !needsDataFolderLock(config) });
  let isClosed = false;
  let lastPreviewDone: Promise<unknown> = Promise.resolve();
  const pendingWrites = new Set<Promise<void>>();

  async function read(upload: string, urgency: 'now' | 'later', user?: string) {
    const path = getFilePath(upload);
    const cachedPreview = await store.read(path).catch(() => undefined);
    if (cachedPreview && isComplete(cachedPreview)) return cachedPreview;
    const preview = await createPreview(path, urgency, user);
    if (!preview) return undefined;
    const bytes = await readFile(preview);
    if (isClosed) await deleteTemporary(preview);
    else await storePreview(path, preview);
    return bytes;
  }

  /** Creates the preview of a stored file; undefined if there is no such file. */
  async function createPreview(path: string, urgency: 'now' | 'later', user?: string) {
    const original = files.getLocalPath(path);
    if (original) return imageProcessor.preview(original, urgency, user).catch(undefinedIfMissing);
    const bytes = await files.read(path);
    if (!bytes) return undefined;
    const copy = temporaryFiles.newPath();
    try {
      await writeFile(copy, bytes, { mode: 0o600 });
      return await imageProcessor.preview(copy, urgency, user);
    } finally {
      await deleteTemporary(copy);
    }
  }

  /**
   * Moves a preview into the cache without a sync: one that a power cut left incomplete, or that
   * could not be stored, is created again when it is requested.
   */
  async function storePreview(path: string, preview: string) {
    const pendingMove = moveToCache(path, preview).catch(() => deleteTemporary(preview));
    pendingWrites.add(pendingMove);
    await pendingMove;
    pendingWrites.delete(pendingMove);
  }

  async function moveToCache(path: string, preview: string) {
    const target = store.getLocalPath(path) ?? '';
    try {
      await moveFile(preview, target);
    } catch (error) {
      undefinedIfMissing(error as NodeJS.ErrnoException);
      await mkdir(dirname(target), { recursive: true, mode: 0o750 });
      await moveFile(preview, target);
    }
  }

  return {
    store,
    read: (upload, user) => read(upload, 'now', user),
    storePreview: (upload, preview) => storePreview(getFilePath(upload), preview),
    schedulePreview(upload) {
      lastPreviewDone = lastPreviewDone.then(() => (isClosed ? undefined : read(upload, 'later'))).catch(() => {});
    },
    async close() {
      isClosed = true;
      await Promise.all(pendingWrites);
    },
  };
}

/**
 * Whether the file of a preview is complete: a JPEG ends with a marker, and a WebP begins with its
 * size.
 */
export const isComplete = (preview: Buffer): boolean =>
  getImageType(preview) === 'jpg'
    ? preview.readUInt16BE(preview.length - 2) === 0xffd9
    : getImageType(preview) === 'webp' && preview.readUInt32LE(4) + 8 === preview.length;
