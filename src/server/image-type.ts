// Detects a file's type from its first bytes. Names and declared types are not trusted.
import * as uploads from '#shared/uploads.ts';

/** Returns the image type, or undefined. `heic` is detected only for a helpful message. */
export function getImageType(bytes: Uint8Array): Exclude<uploads.ImageType, 'other'> | undefined {
  const type = uploads.getImageType(Buffer.from(bytes.subarray(0, 12)).toString('latin1'));
  return type === 'other' ? undefined : type;
}
