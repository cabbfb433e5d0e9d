import { hasHeicSignature } from '#shared/uploads.ts';

/** Whether the name or type says HEIC. */
export function isNamedHeic(file: File): boolean {
  return /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name);
}

/** Whether a file is HEIC, by name, type or first twelve bytes. */
export async function isHeic(file: File): Promise<boolean> {
  if (isNamedHeic(file)) return true;
  return hasHeicSignature(new TextDecoder('latin1').decode(await file.slice(0, 12).arrayBuffer()));
}

/**
 * Decodes HEIC where the browser cannot (all but Safari). The 3 MB decoder loads on first use; its
 * worker ends with the photo to free memory. Rejects unreadable files.
 */
export async function decodeHeic(file: Blob): Promise<ImageBitmap> {
  const worker = new Worker(new URL('./heic.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }: MessageEvent<ImageBitmap | null>) =>
        data ? resolve(data) : reject(new Error('The HEIC photo cannot be decoded.')),
      );
      worker.addEventListener('error', () => reject(new Error('The HEIC decoder could not be started.')));
      worker.postMessage(file);
    });
  } finally {
    worker.terminate();
  }
}
