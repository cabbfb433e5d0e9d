// One prepared picture on its way to the server, tried again while the network is at fault; and how many go at a time.
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

/** What came through in this time would have done so beside two others, and above the pace that the server insists on. */
const fastUploadMs = 5000;

/**
 * Calls `upload` for each, in their order: the first alone, and three at a time as long as they go quickly. Three that share a weak line
 * would each be too slow, and none would arrive. `upload` must not reject.
 */
export function uploadWithAdaptiveConcurrency<T>(items: T[], upload: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  let going = 0;
  let isQuick = false;
  return new Promise((resolve) => {
    const next = () => {
      while (going < (isQuick ? 3 : 1)) {
        const { value, done } = left.next();
        if (done) break;
        going += 1;
        const began = Date.now();
        void upload(value).then(() => {
          going -= 1;
          isQuick = Date.now() - began < fastUploadMs;
          next();
        });
      }
      if (going === 0) resolve();
    };
    next();
  });
}
