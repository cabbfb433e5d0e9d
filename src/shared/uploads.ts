// Photos and signatures as the server keeps them, and as other things name them.
import * as z from 'zod/mini';
import { limits } from './choices.ts';
import { lineSchema } from './text.ts';

/** Where an upload is read: the folder of its month, a random name, the type it was stored as. */
export const uploadPathPattern = /^\/uploads\/\d{4}\/\d{2}\/[a-z2-7]{26}\.(?:jpg|png|webp)$/;

export const Upload = z.object({
  success: z.literal(true),
  filePath: z.string(),
  fileName: z.string(),
  fileSize: z.number(),
  fileType: z.string(),
});
export type Upload = z.output<typeof Upload>;

/** `signature` is held to the smaller size of a signature; anything else is a photo. */
export const UploadQuery = z.object({ use: z.optional(z.enum(['photo', 'signature'])) });

export const UploadPath = z.string('Add a photo').check(z.regex(uploadPathPattern, 'A photo must be uploaded first'));

/** SHA-256 of the bytes that the device sent, in hex: the server refuses a file that arrived otherwise. */
const Sha256 = z.optional(z.string().check(z.regex(/^[0-9a-f]{64}$/, 'A photo must be uploaded first')));

/** An uploaded file, as a report or an audit names it. The path and the name count; the rest is the server's to say. */
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

/** As the server shows it. */
export const StoredMediaFile = z.object({
  path: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  storageType: z.literal('server'),
});
export type StoredMediaFile = z.output<typeof StoredMediaFile>;

/** A signature: an uploaded PNG. `missing` is said where there is none. */
export const signature = (missing: string) =>
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

/** The small version of an upload, for lists. */
export const previewUrl = (path: string) => `${path}?thumb=1`;

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'];

/** Whether a file is HEIC; `start` is its first twelve bytes, a character each. */
export const hasHeicSignature = (start: string) =>
  start.slice(4, 8) === 'ftyp' && heicBrands.includes(start.slice(8, 12));
