// One prepared picture on its way to the server, tried again while the network is at fault; and how many go at a time.
import { api } from '#shared/api.ts';
import { CallFailed } from '#shared/client.ts';
import { type Upload, uploadPath } from '#shared/uploads.ts';
import { performWithRetry } from '../api.ts';

/** Uploads a picture, once for each `key`. Rejects with CallFailed. */
export async function uploadImage(file: File, use: 'photo' | 'signature', key: string): Promise<Upload> {
  const sent = { query: { use }, body: {}, file, fileName: file.name, key };
  const reply = await performWithRetry(api.uploadImage, sent);
  // Anything but a path of the server, such as the picture itself as text, is no upload.
  if (!uploadPath.test(reply.filePath)) throw new CallFailed(422, '');
  return reply;
}

/** Calls `upload` for each, in their order and three at a time; it must not reject. */
export async function threeAtATime<T>(items: T[], upload: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const work = async () => {
    for (const item of left) await upload(item);
  };
  await Promise.all([work(), work(), work()]);
}
