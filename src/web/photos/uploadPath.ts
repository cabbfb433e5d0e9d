import { ApiError } from '#shared/client.ts';
import { type Upload, uploadPathPattern } from '#shared/uploads.ts';

/** Only a path of the server counts as an upload, not an image as a data URL. Throws ApiError. */
export function assertUploadPath({ filePath }: Upload): void {
  if (!uploadPathPattern.test(filePath)) throw new ApiError(422, '');
}
