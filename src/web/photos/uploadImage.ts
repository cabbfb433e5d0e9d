// Uploads one prepared photo, and retries network errors.
import { api } from '#shared/api.ts';
import type { Upload } from '#shared/uploads.ts';
import { callApiWithRetry } from '../client/api.ts';
import { assertUploadPath } from './uploadPath.ts';

/** Uploads a photo, once for each `key`. Rejects with ApiError. */
export async function uploadImage(file: File, use: 'photo' | 'signature', key: string): Promise<Upload> {
  const input = { query: { use }, body: {}, file, fileName: file.name, key };
  const reply = await callApiWithRetry(api.uploadImage, input);
  assertUploadPath(reply);
  return reply;
}
