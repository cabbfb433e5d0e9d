import { hasHeicSignature } from '#shared/uploads.ts';

/** Whether a name or type says HEIC, before a byte is read. */
export function isNamedHeic(file: File): boolean {
  return /^image\/hei[cf]/.test(file.type) || /\.hei[cf]$/i.test(file.name);
}

/** Whether a file is HEIC, by its name, its type or its first twelve bytes. */
export async function isHeic(file: File): Promise<boolean> {
  if (isNamedHeic(file)) return true;
  return hasHeicSignature(new TextDecoder('latin1').decode(await file.slice(0, 12).arrayBuffer()));
}

/**
 * Decodes a HEIC photo where the browser cannot (all but Safari). The decoder is 3 MB and is fetched on the first use;
 * its worker ends with the photo, and gives its memory back. Rejects what is not a readable HEIC file.
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
