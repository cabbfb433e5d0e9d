// What a file is, told by its first bytes alone: names and declared types are the sender's word, and not believed.

import { hasHeicSignature } from '#shared/uploads.ts';

type ImageType = 'jpg' | 'png' | 'webp' | 'heic';

/** The kind of image these bytes begin like, or undefined for anything else. `heic` is known only to say so kindly. */
export function getImageType(bytes: Buffer): ImageType | undefined {
  const text = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (text(0, 3) === '\xff\xd8\xff') return 'jpg';
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'webp';
  if (hasHeicSignature(text(0, 12))) return 'heic';
  return undefined;
}
