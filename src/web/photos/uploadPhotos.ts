// Uploads the photos of forms that do not use the outbox.
import { isTooSlow } from '../client/errors.ts';
import { newUuid } from '../newUuid.ts';
import type { PreparedPhoto } from './preparePhoto.ts';
import { uploadImage } from './uploadImage.ts';
import { uploadPaced } from './uploadPacing.ts';

/** The server's paths of uploaded photos, by their ids. */
export type UploadedPaths = Record<string, string>;

type UploadOutcome = {
  /** All uploaded photos: earlier ones and those uploaded now. */
  paths: UploadedPaths;
  failures: { photo: PreparedPhoto; error: Error }[];
};

/** Uploads the photos that are not in `known` yet. Never rejects: errors are in the outcome. */
export async function uploadPhotos(photos: PreparedPhoto[], known: UploadedPaths = {}): Promise<UploadOutcome> {
  const outcome: UploadOutcome = { paths: { ...known }, failures: [] };
  const missing = photos.filter((photo) => known[photo.id] === undefined);
  await uploadPaced(
    missing,
    ({ file }) => file.size,
    async (photo, isLastTry) => {
      try {
        outcome.paths[photo.id] = (await uploadImage(photo.file, newUuid())).filePath;
      } catch (error) {
        if (!isLastTry && isTooSlow(error)) return 'tooSlow';
        outcome.failures.push({ photo, error: error as Error });
      }
      return 'done';
    },
  );
  return outcome;
}
