// Every photo is made upright, small and free of metadata (GPS above all) before it leaves the device.
import { newUuid } from '../newUuid.ts';
import { decodeHeic, isHeic, isNamedHeic } from './heic.ts';
import { auditPhoto, folderThumbnail, type ImageLimits, reportPhoto } from './imageLimits.ts';
import { decode, type ResizedImage, resizeWithin } from './resizeImage.ts';
import { canResizeInWorker, resizeInWorker } from './resizeInWorker.ts';

export type PreparedPhoto = {
  /** Tells two photos of the same name apart; made here, known to no one else. */
  id: string;
  /** The name of the file that was picked, for people. */
  name: string;
  /** What is to be uploaded; its name ends as its type says. It can be kept in IndexedDB as it is. */
  file: File;
  width: number;
  height: number;
};

const unreadablePhotoName = 'UnreadablePhoto';

/** Whether a picked file claims to be a photo, by its type or its name. What it really is shows in `preparePhoto`. */
export function isPhoto(file: File): boolean {
  return (file.type.startsWith('image/') && file.type !== 'image/svg+xml') || isNamedHeic(file);
}

/** Whether an error means that a file only looks like a photo. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && error.name === unreadablePhotoName;
}

/**
 * Prepares one photo for upload: upright, at most 1280 px and 0.8 MB, without metadata. Report photos become JPEG; an
 * audit's PNG (a screenshot, mostly) stays PNG while it fits. Rejects with an error that `isUnreadable` recognises
 * when the file cannot be read as a photo.
 */
export async function preparePhoto(file: File, use: 'report' | 'audit' = 'report'): Promise<PreparedPhoto> {
  const keepsPng = use === 'audit' && file.type === 'image/png';
  const limits = keepsPng ? { ...auditPhoto, types: ['image/png', ...auditPhoto.types] } : reportPhoto;
  const { blob, width, height } = await resizeImage(file, limits);
  return { id: newUuid(), name: file.name, file: createFileLike(file, blob), width, height };
}

/**
 * Makes the picture of an audit folder: WebP, or JPEG where the browser cannot write WebP.
 * Rejects like `preparePhoto`.
 */
export async function makeThumbnail(file: File): Promise<File> {
  return createFileLike(file, (await resizeImage(file, folderThumbnail)).blob);
}

async function resizeImage(file: File, limits: ImageLimits): Promise<ResizedImage> {
  if (canResizeInWorker()) {
    const resized = await resizeInWorker(file, limits);
    if (resized && resized !== 'decode') return resized;
    if (resized === 'decode' && !(await isHeic(file))) throw createUnreadableError(file);
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
    name: unreadablePhotoName,
  });
}

function createFileLike(file: File, blob: Blob): File {
  const ending = blob.type === 'image/jpeg' ? 'jpg' : blob.type.replace('image/', '');
  const stem = file.name.replace(/\.[^.]*$/, '') || 'photo';
  return new File([blob], `${stem}.${ending}`, { type: blob.type });
}
