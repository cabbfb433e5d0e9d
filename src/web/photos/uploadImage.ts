// Uploads one prepared photo, and retries network errors.
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { type Upload, uploadPathPattern } from '#shared/uploads.ts';
import { callApiWithRetry } from '../client/api.ts';

/** Uploads a photo, once for each `key`. Rejects with ApiError. */
export async function uploadImage(file: File, use: 'photo' | 'signature', key: string): Promise<Upload> {
  const input = { query: { use }, body: {}, file, fileName: file.name, key };
  const reply = await callApiWithRetry(api.uploadImage, input);
  // Only a path of the server counts as an upload, not an image as a data URL.
  if (!uploadPathPattern.test(reply.filePath)) throw new ApiError(422, '');
  return reply;
}
