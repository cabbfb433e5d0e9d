// Makes every photo upright, small and free of metadata (especially GPS) before upload.
import { getImageType } from '#shared/uploads.ts';
import { newUuid } from '../newUuid.ts';
import { decodeHeic, isHeic, isNamedHeic, readStart } from './heic.ts';
import { auditPhotoLimits, folderThumbnailLimits, type ImageLimits, reportPhotoLimits } from './imageLimits.ts';
import { limitStandstill, StandstillError } from './limitStandstill.ts';
import { decode, resizeDecoded } from './resizeImage.ts';
import { canResizeInWorker, resizeInWorker } from './resizeInWorker.ts';

export type PreparedPhoto = {
  /** Distinguishes photos with the same name. */
  id: string;
  /** The original file name, for display. */
  name: string;
  /** The file to upload, named by its type. Can be stored in IndexedDB. */
  file: File;
};

/**
 * Whether a file is a photo by its first bytes, whatever its name, or claims to be one: `preparePhoto` then says that it
 * cannot be read. Never rejects.
 */
export async function isPhoto(file: File): Promise<boolean> {
  if ((file.type.startsWith('image/') && file.type !== 'image/svg+xml') || isNamedHeic(file)) return true;
  return (await readType(file)) !== undefined;
}

/**
 * Prepares a photo: upright, at most 1280 px and 0.8 MB, no metadata. Report photos become JPEG; an
 * audit's PNG (often a screenshot) stays PNG if it fits. Rejects with a message for the user.
 */
export async function preparePhoto(file: File, use: 'report' | 'audit' = 'report'): Promise<PreparedPhoto> {
  const keepsPng = use === 'audit' && (await readType(file)) === 'png';
  const limits = keepsPng
    ? { ...auditPhotoLimits, types: ['image/png', ...auditPhotoLimits.types] }
    : reportPhotoLimits;
  return { id: newUuid(), name: file.name, file: createFileLike(file, await resizeImage(file, limits)) };
}

/**
 * Creates a folder's thumbnail: WebP, or JPEG where the browser cannot write WebP. Rejects like
 * `preparePhoto`.
 */
export const makeThumbnail = async (file: File): Promise<File> =>
  createFileLike(file, await resizeImage(file, folderThumbnailLimits));

/** Returns the type of an image by its first bytes. Reading a file of a cloud service may never end. */
const readType = (file: File) =>
  limitStandstill(standstillMs, () => readStart(file)).then(getImageType, () => undefined);

/** How long a photo may make no progress: HEIC is decoded slowly. */
const standstillMs = 20_000;
const heicStandstillMs = 60_000;

async function resizeImage(file: File, limits: ImageLimits): Promise<Blob> {
  // Reading a file of a cloud service may never end.
  const isHeicFile = await limitStandstill(standstillMs, () => isHeic(file)).catch(() => false);
  const maxStandstillMs = isHeicFile ? heicStandstillMs : standstillMs;
  if (canResizeInWorker()) {
    const result = await resizeInWorker(file, limits, maxStandstillMs);
    if (result && result !== 'decode') return result;
    if (result === 'decode' && !isHeicFile) throw createUnreadableError(file);
  }
  return resizeOnPage(file, limits, maxStandstillMs);
}

async function resizeOnPage(file: File, limits: ImageLimits, maxStandstillMs: number): Promise<Blob> {
  let decoded: Awaited<ReturnType<typeof decode>> | undefined;
  try {
    decoded = await limitStandstill(maxStandstillMs, () => decode(file)).catch(async (error) => {
      if (await isHeic(file)) return { image: await decodeHeic(file, maxStandstillMs), isCutOff: false };
      throw error;
    });
    const readable = decoded;
    return await limitStandstill(maxStandstillMs, (onProgress) => resizeDecoded(readable, limits, onProgress));
  } catch (cause) {
    if (cause instanceof StandstillError)
      throw new Error(`${file.name} could not be prepared in time. Try it again.`, { cause });
    throw createUnreadableError(file, cause);
  } finally {
    decoded?.image.close();
  }
}

const createUnreadableError = (file: File, cause?: unknown): Error =>
  new Error(`${file.name} could not be read as a photo.`, { cause });

/** Returns the resized image with the name of the original, and the extension of its own type. */
function createFileLike(file: File, blob: Blob): File {
  const extension = blob.type === 'image/jpeg' ? 'jpg' : blob.type.replace('image/', '');
  const baseName = file.name.replace(/\.[^.]*$/, '') || 'photo';
  return new File([blob], `${baseName}.${extension}`, { type: blob.type });
}
