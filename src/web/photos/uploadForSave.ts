import { ApiError } from '#shared/client.ts';
import { describeFailedPhotos } from './describeFailedPhotos.ts';
import type { PreparedPhoto } from './preparePhoto.ts';
import { type UploadedPaths, uploadPhotos } from './uploadPhotos.ts';

/** Of forms that do not store what they have uploaded. */
const uploadedBefore: UploadedPaths = {};

/**
 * Uploads the photos of a form that useSave sends, and adds them to `uploaded`, so that the next
 * attempt does not send them again. Rejects with the failures as the error of the field `photos`.
 */
export async function uploadForSave(photos: PreparedPhoto[], uploaded = uploadedBefore): Promise<UploadedPaths> {
  const { paths, failures } = await uploadPhotos(photos, uploaded);
  Object.assign(uploaded, paths);
  if (failures.length === 0) return paths;
  const fields = { photos: describeFailedPhotos(photos, failures, Object.keys(paths).length) };
  throw new ApiError(0, JSON.stringify({ fields }));
}
