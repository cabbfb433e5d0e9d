// Image processing: uploads are checked and re-encoded in a child process; originals are deleted
// with their request (docs/decisions/003).
import { open, readFile, writeFile } from 'node:fs/promises';
import { limits } from '#shared/choices.ts';
import { hasCutOffMark } from '#shared/cut-off.ts';
import { HttpError } from '../errors/http-error.ts';
import { getImageType } from '../image-type.ts';
import { createPool, JobError, type Pool, type QueueOptions } from '../workers/pool.ts';
import { countPixels } from './count-pixels.ts';
import { toStorageError } from './disk-space.ts';
import { deleteTemporary, type TemporaryFiles } from './temporary-files.ts';

const MiB = 2 ** 20;

/** Limits by use: accepted bytes, and the longest side in pixels. */
const limitsByUse = {
  photo: { maxBytes: limits.photoBytes, fit: 1280 },
  signature: { maxBytes: limits.signatureBytes, fit: 800 },
  thumbnail: { maxBytes: limits.thumbnailBytes, fit: 1280 },
};
const previewSide = 320;

/**
 * Priorities in the queue, lowest number first: signatures and previews that a user waits for come
 * before photos, and other previews come last.
 */
const priorities = { signature: 0, now: 0, photo: 1, thumbnail: 1, later: 2 };

/**
 * Images above this size wait for smaller ones, and never use both child processes. Phones create
 * up to 12 megapixels, but the app resizes photos to 1 or 2 before it sends them.
 */
const heavyPixels = 8e6;

export type ImageUse = keyof typeof limitsByUse;
export type StoredExt = keyof typeof mediaTypes;
export const mediaTypes = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

/** A part of an image, in fractions of its width and height. */
type ImageBox = { x: number; y: number; width: number; height: number };

export type ImageJob = {
  /**
   * `from`, `to` and `preview` are paths: of the source, of the re-encoded image, and of its
   * preview if one is requested.
   */
  from: string;
  to: string;
  preview?: string;
  ext: StoredExt;
  /** The longest side of the re-encoded image, in pixels. */
  fit: number;
  /** Parts to cover with black boxes. */
  boxes?: ImageBox[];
  isPreview?: boolean;
  /** Sync the re-encoded image to disk before the job resolves. */
  isSynced?: boolean;
};
export type ImageResult = {
  /** Size of the re-encoded image in bytes. */
  size: number;
  width: number;
  height: number;
  /** SHA-256 of the re-encoded image in hexadecimal. */
  sha256Stored: string;
  /** Whether the image is empty: all pixels have one colour, or all are transparent. */
  blank: boolean;
  /** Whether the end of a JPEG is missing, or of the file from which the browser made it. */
  isCutOff?: boolean;
};
/** An uploaded image in a file, and the first bytes of it. */
export type ImageFile = { path: string; size: number; head: Buffer };

/**
 * An image ready to store: upright, sRGB, no metadata. `type` is its media type; `path` (synced to
 * disk) and `preview` are temporary files, which the caller moves or deletes.
 */
type ProcessedImage = ImageResult & { path: string; preview?: string; ext: StoredExt; type: string };

export type ImageProcessor = {
  /**
   * Processes an uploaded image in a file. JPEG, PNG and WebP keep their format; a folder's
   * thumbnail becomes WebP. All but signatures get a preview. Throws 400 (empty), 413 (too large),
   * 415 (not an image, HEIC with its own message, or a signature that is not a PNG), 422 (cannot be
   * decoded) or 503 (busy). Users take turns.
   */
  process(file: ImageFile, use: ImageUse, user?: string): Promise<ProcessedImage>;
  /** Like `process`, for an image in memory: a signature in an answer. */
  processBytes(
    bytes: Buffer,
    use: ImageUse,
    user?: string,
  ): Promise<Omit<ProcessedImage, 'path' | 'preview'> & { bytes: Buffer }>;
  /**
   * Creates a preview of a stored image, at most 320 px on its longest side, and returns its
   * temporary file: a JPEG of a JPEG, otherwise WebP. Throws 422 or 503.
   */
  preview(file: string, urgency: 'now' | 'later', user?: string): Promise<string>;
  /**
   * Paints black boxes over parts of a stored image; the result does not contain the pixels below
   * them. Throws 422 or 503.
   */
  redact(bytes: Buffer, boxes: ImageBox[], user?: string): Promise<Buffer>;
  close(): Promise<void>;
};

export type ImagePool = Pool<ImageJob, ImageResult>;

/**
 * Creates the pool of child processes. They start when images arrive, and end after a minute
 * without any.
 */
export const createImagePool = (): ImagePool =>
  createPool({
    script: new URL('./image-child.ts', import.meta.url),
    size: 2,
    maxWaiting: 40,
    timeoutMs: 10_000,
    maxBytes: 512 * MiB,
    idleMs: 60_000,
    env: {
      // Frees the buffers of finished images sooner, which saves a third of the memory at no cost
      // in CPU time.
      NODE_OPTIONS: '--max-semi-space-size=1',
      // The C library keeps the memory of pixel rows from one image to the next. Requesting it from
      // the system again took 6 % of an upload's CPU time. One arena is enough for one image at a
      // time.
      MALLOC_MMAP_THRESHOLD_: String(4 * MiB),
      MALLOC_ARENA_MAX: '1',
    },
  });

export function createImageProcessor(temporaryFiles: TemporaryFiles, pool = createImagePool()): ImageProcessor {
  async function runJob(job: ImageJob, head: Buffer, queueOptions: QueueOptions) {
    const pixels = countPixels(head) ?? Infinity;
    try {
      return await pool.run(job, { ...queueOptions, isHeavy: pixels > heavyPixels });
    } catch (error) {
      await deleteTemporary(job.to, job.preview);
      if (!(error instanceof JobError)) throw error;
      const code = /^(E[A-Z]+): /.exec(error.reason)?.[1];
      if (code) throw toStorageError(Object.assign(error, { code }));
      // Only an error of the decoder is about the image. If the child process was killed, the image
      // may be valid.
      throw Object.assign(error.isChildLost ? createBusyError() : createUnreadableError(), { cause: error });
    }
  }

  async function process({ path: from, size, head }: ImageFile, use: ImageUse, user = '', isSynced = true) {
    const { maxBytes, fit } = limitsByUse[use];
    if (size === 0) throw new HttpError(400, 'The image is empty');
    if (size > maxBytes)
      throw new HttpError(413, `Image is too large (max ${maxBytes / MiB} MB)`, { code: 'FILE_TOO_LARGE' });
    const imageType = assertDecodable(head);
    if (use === 'signature' && imageType !== 'png') throw new HttpError(415, 'A signature must be a PNG image');
    const ext = use === 'thumbnail' ? 'webp' : imageType;
    const path = temporaryFiles.newPath();
    // Signatures are shown full size, so they need no preview.
    const preview = use === 'signature' ? {} : { preview: temporaryFiles.newPath() };
    const job = { from, to: path, ...preview, ext, fit, isSynced };
    const processed = await runJob(job, head, { user, priority: priorities[use] });
    const isCutOff = processed.isCutOff || (imageType === 'jpg' && hasCutOffMark(head));
    return { ...processed, isCutOff, path, ...preview, ext, type: mediaTypes[ext] };
  }

  return {
    process: (file, use, user) => process(file, use, user),
    async processBytes(bytes, use, user) {
      const path = temporaryFiles.newPath();
      let processedImage: ProcessedImage | undefined;
      try {
        await writeFile(path, bytes, { mode: 0o600 });
        processedImage = await process({ path, size: bytes.length, head: bytes }, use, user, false);
        const { path: processed, preview: _, ...image } = processedImage;
        return { ...image, bytes: await readFile(processed) };
      } catch (error) {
        throw toStorageError(error);
      } finally {
        await deleteTemporary(path, processedImage?.path, processedImage?.preview);
      }
    },
    async preview(file, urgency, user = '') {
      const { head } = await readImageFile(file);
      const ext = assertDecodable(head);
      const to = temporaryFiles.newPath();
      const job = { from: file, to, ext, fit: previewSide, isPreview: true };
      await runJob(job, head, { user, priority: priorities[urgency] });
      return to;
    },
    async redact(bytes, boxes, user = '') {
      const ext = assertDecodable(bytes);
      const [from, to] = [temporaryFiles.newPath(), temporaryFiles.newPath()];
      try {
        await writeFile(from, bytes, { mode: 0o600 });
        const job = { from, to, ext, fit: limitsByUse.photo.fit, boxes };
        await runJob(job, bytes, { user, priority: priorities.photo });
        return await readFile(to);
      } catch (error) {
        throw toStorageError(error);
      } finally {
        await deleteTemporary(from, to);
      }
    },
    close: () => pool.close(),
  };
}

/**
 * The number of first bytes to read: enough to detect the image type and, nearly always, the number
 * of pixels.
 */
export const headBytes = 64 * 1024;

/** Reads the size and the first bytes of an image in a file. */
export async function readImageFile(path: string): Promise<ImageFile> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(Math.min(size, headBytes)), { position: 0 });
    return { path, size, head: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}

const createUnreadableError = () => new HttpError(422, 'This image could not be read');
const createBusyError = () =>
  new HttpError(503, 'This image could not be processed just now. Please try again in a moment.', { retryAfter: 5 });

function assertDecodable(head: Buffer): StoredExt {
  const type = getImageType(head);
  if (type === 'heic')
    throw new HttpError(415, 'HEIC photos cannot be used here. Please save the photo as a JPEG and add it again.');
  if (!type) throw new HttpError(415, 'Only image files are supported');
  return type;
}
