import { api } from '#shared/api.ts';
import type { Upload } from '#shared/uploads.ts';
import { callApiWithRetry } from '../client/api.ts';
import { assertUploadPath } from './uploadPath.ts';

/** Uploads a photo, once for each `key`, and retries transient errors. Rejects with ApiError. */
export async function uploadImage(file: File, key: string): Promise<Upload> {
  const input = { query: { use: 'photo' as const }, body: {}, file, fileName: file.name, key };
  const reply = await callApiWithRetry(api.uploadImage, input);
  assertUploadPath(reply);
  return reply;
}
