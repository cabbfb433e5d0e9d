import { ApiError } from '#shared/client.ts';
import { type Upload, uploadPathPattern } from '#shared/uploads.ts';

/** An error for a reply that does not confirm what was sent; counts as one from the server. */
export const createUnconfirmedError = (message: string) =>
  new ApiError(422, JSON.stringify({ success: false, code: 'UNCONFIRMED', message }));

/** Only a path of the server counts as an upload, not an image as a data URL. Throws ApiError. */
export function assertUploadPath({ filePath }: Upload): void {
  if (!uploadPathPattern.test(filePath)) throw createUnconfirmedError('The server has not confirmed this file.');
}
