// Uploads prepared images with retries, and adapts how many are sent at once.
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { type Upload, uploadPathPattern } from '#shared/uploads.ts';
import { callApiWithRetry } from '../client/api.ts';

/** Uploads an image, once per `key`. Rejects with ApiError. */
export async function uploadImage(file: File, use: 'photo' | 'signature', key: string): Promise<Upload> {
  const sent = { query: { use }, body: {}, file, fileName: file.name, key };
  const reply = await callApiWithRetry(api.uploadImage, sent);
  // Anything but a server path is not an upload.
  if (!uploadPathPattern.test(reply.filePath)) throw new ApiError(422, '');
  return reply;
}

/** An upload this fast leaves room for two others above the server's minimum speed. */
const fastUploadMs = 5000;

/**
 * Calls `upload` for each item in order: one at a time, or three while they are fast. Three on a
 * slow connection would each be too slow to arrive. `upload` must not reject.
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
