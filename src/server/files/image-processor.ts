// Image processing: uploads are checked and re-encoded in a child process; originals are never
// stored (docs/decisions/003).
import { limits } from '#shared/choices.ts';
import { HttpError } from '../errors/http-error.ts';
import { createPool, JobError, type Place } from '../workers/pool.ts';
import { countPixels } from './count-pixels.ts';
import { getImageType } from './image-type.ts';

const MiB = 2 ** 20;

/** Limits by use: accepted bytes, and the longest side in pixels. */
const limitsByUse = {
  photo: { maxBytes: limits.photoBytes, fit: 1280 },
  signature: { maxBytes: limits.signatureBytes, fit: 800 },
  thumbnail: { maxBytes: limits.thumbnailBytes, fit: 1280 },
};
const previewSide = 320;

/** Signatures and awaited previews come before photos; other previews come last. */
const priorities = { signature: 0, now: 0, photo: 1, thumbnail: 1, later: 2 };

/**
 * Images beyond this wait for smaller ones and never use both children: phones send 1 to 12
 * megapixels, the app 1 or 2.
 */
const heavyPixels = 8e6;

export type ImageUse = keyof typeof limitsByUse;
export type StoredExt = keyof typeof mediaTypes;
export const mediaTypes = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

export type ImageJob = { bytes: Buffer; ext: StoredExt; fit: number };
export type ImageResult = {
  bytes: Buffer;
  width: number;
  height: number;
  /** Hexadecimal, of the received and the stored bytes. */
  sha256Received: string;
  sha256Stored: string;
  /** Single-coloured or fully transparent: nothing was drawn. */
  blank: boolean;
};
/** An image ready to store: upright, sRGB, no metadata. `type` is its media type. */
type ProcessedImage = ImageResult & { ext: StoredExt; type: string };

export type ImageProcessor = {
  /**
   * Takes in an image as it came from a person. JPEG and PNG stay what they are, WebP too; a
   * folder's thumbnail becomes WebP. Refuses: 400 no bytes, 413 too many, 415 not an image (HEIC
   * with its own words) or a signature that is no PNG, 422 cannot be decoded, 503 busy. Users take
   * turns.
   */
  process(bytes: Buffer, use: ImageUse, user?: string): Promise<ProcessedImage>;
  /**
   * Creates a WebP preview of a stored image, at most 320 px on its longest side. Throws 422 or
   * 503.
   */
  preview(bytes: Buffer, when: 'now' | 'later', user?: string): Promise<Buffer>;
  close(): Promise<void>;
};

/** Starts a child process with the first image, and ends it after a minute without images. */
export function createImageProcessor(): ImageProcessor {
  const pool = createPool<ImageJob, ImageResult>({
    script: new URL('./image-child.ts', import.meta.url),
    size: 2,
    queue: 40,
    // The decoder stops itself after 10 s; this is for a decoder that hangs.
    timeoutMs: 12_000,
    maxBytes: 512 * MiB,
    idleMs: 60_000,
    // Two arenas instead of eight per core, so that freed memory is returned sooner.
    env: { MALLOC_ARENA_MAX: '2' },
  });

  async function draw(job: ImageJob, place: Place) {
    const pixels = countPixels(job.bytes) ?? Infinity;
    try {
      return await pool.run(job, { ...place, isHeavy: pixels > heavyPixels });
    } catch (error) {
      if (!(error instanceof JobError)) throw error;
      // Only the decoder's own error is about the image; a killed child says nothing about it.
      throw Object.assign(error.isChildLost ? notNow() : unreadable(), { cause: error });
    }
  }

  return {
    async process(bytes, use, user = '') {
      const { maxBytes, fit } = limitsByUse[use];
      if (bytes.length === 0) throw new HttpError(400, 'The image is empty');
      if (bytes.length > maxBytes)
        throw new HttpError(413, `Image is too large (max ${maxBytes / MiB} MB)`, { code: 'FILE_TOO_LARGE' });
      const received = decodable(bytes);
      if (use === 'signature' && received !== 'png') throw new HttpError(415, 'A signature must be a PNG image');
      const ext = use === 'thumbnail' ? 'webp' : received;
      return { ...(await draw({ bytes, ext, fit }, { user, priority: priorities[use] })), ext, type: mediaTypes[ext] };
    },
    async preview(bytes, when, user = '') {
      decodable(bytes);
      const drawn = await draw({ bytes, ext: 'webp', fit: previewSide }, { user, priority: priorities[when] });
      return drawn.bytes;
    },
    close: () => pool.close(),
  };
}

const unreadable = () => new HttpError(422, 'This image could not be read');
const notNow = () =>
  new HttpError(503, 'This image could not be processed just now. Please try again in a moment.', { retryAfter: 5 });

function decodable(bytes: Buffer): StoredExt {
  const type = getImageType(bytes);
  if (type === 'heic')
    throw new HttpError(415, 'HEIC photos cannot be used here. Please save the photo as a JPEG and add it again.');
  if (!type) throw new HttpError(415, 'Only image files are supported');
  return type;
}
