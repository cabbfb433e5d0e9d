// Makes every photo upright, small and free of metadata (especially GPS) before upload.
import { newUuid } from '../newUuid.ts';
import { decodeHeic, isHeic, isNamedHeic } from './heic.ts';
import { auditPhoto, folderThumbnail, type ImageLimits, reportPhoto } from './imageLimits.ts';
import { decode, type ResizedImage, resizeWithin } from './resizeImage.ts';
import { canResizeInWorker, resizeInWorker } from './resizeInWorker.ts';

export type PreparedPhoto = {
  /** Distinguishes photos with the same name; created here. */
  id: string;
  /** The original file name, for display. */
  name: string;
  /** The file to upload, named by its type. Can be stored in IndexedDB. */
  file: File;
  width: number;
  height: number;
};

const unreadablePhotoErrorName = 'UnreadablePhoto';

/** Whether a file claims to be a photo by type or name. `preparePhoto` checks the content. */
export function isPhoto(file: File): boolean {
  return (file.type.startsWith('image/') && file.type !== 'image/svg+xml') || isNamedHeic(file);
}

/** Whether an error means that the file is not a readable photo. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && error.name === unreadablePhotoErrorName;
}

/**
 * Prepares a photo: upright, at most 1280 px and 0.8 MB, no metadata. Report photos become JPEG; an
 * audit's PNG (often a screenshot) stays PNG if it fits. Rejects with an error that `isUnreadable`
 * recognises.
 */
export async function preparePhoto(file: File, use: 'report' | 'audit' = 'report'): Promise<PreparedPhoto> {
  const keepsPng = use === 'audit' && file.type === 'image/png';
  const limits = keepsPng ? { ...auditPhoto, types: ['image/png', ...auditPhoto.types] } : reportPhoto;
  const { blob, width, height } = await resizeImage(file, limits);
  return { id: newUuid(), name: file.name, file: createFileLike(file, blob), width, height };
}

/**
 * Creates a folder's thumbnail: WebP, or JPEG where the browser cannot write WebP. Rejects like
 * `preparePhoto`.
 */
export async function makeThumbnail(file: File): Promise<File> {
  return createFileLike(file, (await resizeImage(file, folderThumbnail)).blob);
}

async function resizeImage(file: File, limits: ImageLimits): Promise<ResizedImage> {
  if (canResizeInWorker()) {
    const result = await resizeInWorker(file, limits);
    if (result && result !== 'decode') return result;
    if (result === 'decode' && !(await isHeic(file))) throw createUnreadableError(file);
  }
  return resizeOnPage(file, limits);
}

async function resizeOnPage(file: File, limits: ImageLimits): Promise<ResizedImage> {
  let image: ImageBitmap | undefined;
  try {
    image = await decode(file).catch(async (error) => {
      if (await isHeic(file)) return decodeHeic(file);
      throw error;
    });
    return await resizeWithin(image, limits);
  } catch (cause) {
    throw createUnreadableError(file, cause);
  } finally {
    image?.close();
  }
}

function createUnreadableError(file: File, cause?: unknown): Error {
  return Object.assign(new Error(`${file.name} could not be read as a photo.`, { cause }), {
    name: unreadablePhotoErrorName,
  });
}

function createFileLike(file: File, blob: Blob): File {
  const extension = blob.type === 'image/jpeg' ? 'jpg' : blob.type.replace('image/', '');
  const baseName = file.name.replace(/\.[^.]*$/, '') || 'photo';
  return new File([blob], `${baseName}.${extension}`, { type: blob.type });
}
