// Uploads an audit's photos. Reports use submitReport, which saves progress in the draft.
import { newUuid } from '../newUuid.ts';
import type { PreparedPhoto } from './preparePhoto.ts';
import { uploadImage, uploadWithAdaptiveConcurrency } from './uploadImage.ts';

/** Server paths of uploaded photos, by photo id. */
export type UploadedPaths = Record<string, string>;

type UploadOutcome = {
  /** Known paths and new ones. */
  paths: UploadedPaths;
  failures: { photo: PreparedPhoto; error: Error }[];
};

/** Uploads photos missing in `known`. Never rejects: failures are in the result. */
export async function uploadPhotos(photos: PreparedPhoto[], known: UploadedPaths = {}): Promise<UploadOutcome> {
  const outcome: UploadOutcome = { paths: { ...known }, failures: [] };
  const missing = photos.filter((photo) => known[photo.id] === undefined);
  await uploadWithAdaptiveConcurrency(missing, async (photo) => {
    try {
      outcome.paths[photo.id] = (await uploadImage(photo.file, 'photo', newUuid())).filePath;
    } catch (error) {
      outcome.failures.push({ photo, error: error as Error });
    }
  });
  return outcome;
}
