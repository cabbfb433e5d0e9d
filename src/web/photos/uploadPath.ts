import { ApiError } from '#shared/client.ts';
import { type Upload, uploadPathPattern } from '#shared/uploads.ts';

/** An error for a reply that does not confirm what was sent; counts as one from the server. */
export const createUnconfirmedError = (message: string) =>
  new ApiError(422, JSON.stringify({ success: false, code: 'UNCONFIRMED', message }));

/** Throws ApiError if a reply to an upload names no file on the server. */
export function assertUploadPath({ filePath }: Upload): void {
  if (!uploadPathPattern.test(filePath)) throw createUnconfirmedError('The server has not confirmed this file.');
}
