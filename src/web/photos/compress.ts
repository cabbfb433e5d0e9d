// Every photo is made upright, small and free of metadata (GPS above all) before it leaves the device.
import { newUuid } from '../newUuid.ts';
import { type Drawn, decode, drawWithin } from './draw.ts';
import { canDrawInWorker, drawInWorker } from './drawInWorker.ts';
import { decodeHeic, isHeic, isNamedHeic } from './heic.ts';
import { auditPhoto, folderThumbnail, type PictureLimits, reportPhoto } from './pictureLimits.ts';

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

const unreadablePhoto = 'UnreadablePhoto';

/** Whether a picked file claims to be a photo, by its type or its name. What it really is shows in `preparePhoto`. */
export function isPhoto(file: File): boolean {
  return (file.type.startsWith('image/') && file.type !== 'image/svg+xml') || isNamedHeic(file);
}

/** Whether an error means that a file only looks like a photo. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && error.name === unreadablePhoto;
}

/**
 * Prepares one photo for upload: upright, at most 1280 px and 0.8 MB, without metadata. Report photos become JPEG; an
 * audit's PNG (a screenshot, mostly) stays PNG while it fits. Rejects with an error that `isUnreadable` recognises
 * when the file cannot be read as a photo.
 */
export async function preparePhoto(file: File, use: 'report' | 'audit' = 'report'): Promise<PreparedPhoto> {
  const keepsPng = use === 'audit' && file.type === 'image/png';
  const limits = keepsPng ? { ...auditPhoto, types: ['image/png', ...auditPhoto.types] } : reportPhoto;
  const { blob, width, height } = await shrink(file, limits);
  return { id: newUuid(), name: file.name, file: namedAfter(file, blob), width, height };
}

/**
 * Makes the picture of an audit folder: WebP, or JPEG where the browser cannot write WebP.
 * Rejects like `preparePhoto`.
 */
export async function makeThumbnail(file: File): Promise<File> {
  return namedAfter(file, (await shrink(file, folderThumbnail)).blob);
}

async function shrink(file: File, limits: PictureLimits): Promise<Drawn> {
  if (canDrawInWorker()) {
    const drawn = await drawInWorker(file, limits);
    if (drawn && drawn !== 'decode') return drawn;
    if (drawn === 'decode' && !(await isHeic(file))) throw unreadable(file);
  }
  return drawOnPage(file, limits);
}

async function drawOnPage(file: File, limits: PictureLimits): Promise<Drawn> {
  let image: ImageBitmap | undefined;
  try {
    image = await decode(file).catch(async (error) => {
      if (await isHeic(file)) return decodeHeic(file);
      throw error;
    });
    return await drawWithin(image, limits);
  } catch (cause) {
    throw unreadable(file, cause);
  } finally {
    image?.close();
  }
}

function unreadable(file: File, cause?: unknown): Error {
  return Object.assign(new Error(`${file.name} could not be read as a photo.`, { cause }), { name: unreadablePhoto });
}

function namedAfter(file: File, blob: Blob): File {
  const ending = blob.type === 'image/jpeg' ? 'jpg' : blob.type.replace('image/', '');
  const stem = file.name.replace(/\.[^.]*$/, '') || 'photo';
  return new File([blob], `${stem}.${ending}`, { type: blob.type });
}
