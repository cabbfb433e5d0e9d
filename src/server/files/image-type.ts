// Detects a file's type from its first bytes. Names and declared types are not trusted.

import { hasHeicSignature } from '#shared/uploads.ts';

type ImageType = 'jpg' | 'png' | 'webp' | 'heic';

/** Returns the image type, or undefined. `heic` is detected only for a helpful message. */
export function getImageType(bytes: Buffer): ImageType | undefined {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (text(0, 3) === '\xff\xd8\xff') return 'jpg';
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp';
  if (hasHeicSignature(text(0, 12))) return 'heic';
  return undefined;
}
