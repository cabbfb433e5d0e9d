// Detects a file's type from its first bytes. Names and declared types are not trusted.
import { hasHeicSignature } from '#shared/uploads.ts';

type ImageType = 'jpg' | 'png' | 'webp' | 'heic';

/** Returns the image type, or undefined. `heic` is detected only for a helpful message. */
export function getImageType(bytes: Uint8Array): ImageType | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp';
  if (hasHeicSignature(start)) return 'heic';
  return undefined;
}
