// Uploaded photos and signatures, and references to them.
import * as z from 'zod/mini';
import { limits } from './choices.ts';
import { lineSchema } from './text.ts';

/** An upload's path: the folder of its month, a random name, its stored type. */
export const uploadPathPattern = /^\/uploads\/\d{4}\/\d{2}\/[a-z2-7]{26}\.(?:jpg|png|webp)$/;

export const Upload = z.object({
  success: z.literal(true),
  filePath: z.string(),
  fileName: z.string(),
  fileSize: z.number(),
  fileType: z.string(),
});
export type Upload = z.output<typeof Upload>;

/** `signature` has a lower size limit; anything else is a photo. */
export const UploadQuery = z.object({ use: z.optional(z.enum(['photo', 'signature'])) });

export const UploadPath = z.string('Add a photo').check(z.regex(uploadPathPattern, 'A photo must be uploaded first'));

/** SHA-256 of the sent bytes in hex: the server rejects a file that differs. */
const Sha256 = z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/, 'A photo must be uploaded first')));

/**
 * A reference to an upload in a record. Path and name are used, and the checksum is checked; the rest
 * comes from the server.
 */
export const MediaFile = z.object({
  path: UploadPath,
  name: z._default(lineSchema({ max: 255 }), ''),
  type: z.optional(z.string().check(z.maxLength(100))),
  size: z.optional(z.number()),
  storageType: z.optional(z.literal('server', 'A photo must be uploaded first')),
  sha256: Sha256,
});
export type MediaFile = z.output<typeof MediaFile>;

export const MediaFiles = z.array(MediaFile).check(z.maxLength(limits.photos, `At most ${limits.photos} photos`));

/** A stored upload as the server returns it. */
export const StoredMediaFile = z.object({
  path: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  storageType: z.literal('server'),
  /** The end of the file was missing when it was uploaded. */
  cutOff: z.optional(z.literal(true)),
});
export type StoredMediaFile = z.output<typeof StoredMediaFile>;

/**
 * Creates the schema of a signature, which is an uploaded PNG. `missing` is the message if there is
 * none.
 */
export const signatureSchema = (missing: string) =>
  z.object(
    {
      path: z.string(missing).check(
        z.regex(uploadPathPattern, { error: 'A signature must be uploaded first', abort: true }),
        z.refine((path) => path.endsWith('.png'), 'A signature must be a PNG image'),
      ),
      storageType: z.optional(z.literal('server')),
      sha256: Sha256,
    },
    missing,
  );
export const StoredSignature = z.object({ path: z.string(), storageType: z.literal('server') });

export const previewUrl = (path: string) => `${path}?thumb=1`;

export type ImageType = 'jpg' | 'png' | 'webp' | 'heic' | 'other';

/**
 * Returns the type of an image, by the first twelve bytes of its file as characters; `other` for one that only browsers
 * read. Undefined if it is no image.
 */
export function getImageType(start: string): ImageType | undefined {
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'webp';
  if (hasHeicSignature(start)) return 'heic';
  const isOther = start.startsWith('GIF8') || start.startsWith('BM') || start.slice(4, 11) === 'ftypavi';
  return isOther ? 'other' : undefined;
}

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'];

const hasHeicSignature = (start: string) => start.slice(4, 8) === 'ftyp' && heicBrands.includes(start.slice(8, 12));
