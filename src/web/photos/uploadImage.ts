// One prepared picture on its way to the server, tried again while the network is at fault.
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { type Upload, uploadPathPattern } from '#shared/uploads.ts';
import { callApiWithRetry } from '../client/api.ts';

/** Uploads a picture, once for each `key`. Rejects with ApiError. */
export async function uploadImage(file: File, use: 'photo' | 'signature', key: string): Promise<Upload> {
  const sent = { query: { use }, body: {}, file, fileName: file.name, key };
  const reply = await callApiWithRetry(api.uploadImage, sent);
  // Anything but a path of the server, such as the picture itself as text, is no upload.
  if (!uploadPathPattern.test(reply.filePath)) throw new ApiError(422, '');
  return reply;
}
