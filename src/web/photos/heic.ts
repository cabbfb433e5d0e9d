import { getImageType } from '#shared/uploads.ts';
import workerUrl from './heic.worker.ts?worker&url';
import { limitStandstill } from './limitStandstill.ts';

/** For a picker of photos: browsers may not know HEIC by its type. */
export const acceptedPhotos = 'image/*,.heic,.heif,.hif';

/** Whether the file's name or type says HEIC. */
export const isNamedHeic = (file: File): boolean =>
  /^image\/hei[cf]/.test(file.type) || /\.(?:hei[cf]|hif)$/i.test(file.name);

/** Whether a file is HEIC, by name, type or first twelve bytes. */
export async function isHeic(file: File): Promise<boolean> {
  if (isNamedHeic(file)) return true;
  return getImageType(await readStart(file)) === 'heic';
}

/** Returns the first twelve bytes of a file as characters, by which its type is known. */
export const readStart = async (file: Blob): Promise<string> =>
  String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));

/**
 * Decodes HEIC where the browser cannot (all but Safari). The 3 MB decoder loads on first use; its
 * worker ends with the photo to free memory. Rejects for unreadable files.
 */
export async function decodeHeic(file: Blob, maxStandstillMs: number): Promise<ImageBitmap> {
  await limitStandstill(maxStandstillMs, loadDecoder);
  const worker = new Worker(workerUrl, { type: 'module' });
  try {
    return await limitStandstill(
      maxStandstillMs,
      () =>
        new Promise<ImageBitmap>((resolve, reject) => {
          worker.addEventListener('message', ({ data }: MessageEvent<ImageBitmap | null>) =>
            data ? resolve(data) : reject(new Error('The HEIC photo cannot be decoded.')),
          );
          worker.addEventListener('error', () => reject(new Error('The HEIC decoder could not be started.')));
          worker.postMessage(file);
        }),
    );
  } finally {
    worker.terminate();
  }
}

/** Downloads the decoder, which may take minutes. The worker then gets it from the browser's cache. */
async function loadDecoder(onProgress: () => void): Promise<void> {
  const { body } = await fetch(workerUrl);
  for (const reader = body?.getReader(); reader && !(await reader.read()).done; ) onProgress();
}
