// Prepared photos on their way to the server: a few at a time, each tried again while the network is at fault.
import { api } from '#shared/api.ts';
import { CallFailed } from '#shared/client.ts';
import { uploadPath } from '#shared/uploads.ts';
import { performWithRetry } from '../api.ts';
import { newKey } from '../ui/newKey.ts';
import type { PreparedPhoto } from './compress.ts';

/** The server's paths of photos that were uploaded, by their ids. */
export type UploadedPaths = Record<string, string>;

export type UploadOutcome = {
  /** Those that were known and those that came through now. */
  paths: UploadedPaths;
  failures: { photo: PreparedPhoto; error: Error }[];
};

const atOnce = 3;

/** Uploads the photos that are not in `known` yet. Never rejects: what failed is in the outcome. */
export async function uploadPhotos(photos: PreparedPhoto[], known: UploadedPaths = {}): Promise<UploadOutcome> {
  const outcome: UploadOutcome = { paths: { ...known }, failures: [] };
  const waiting = photos.filter((photo) => known[photo.id] === undefined);
  const work = async () => {
    for (let photo = waiting.shift(); photo; photo = waiting.shift())
      try {
        outcome.paths[photo.id] = await uploadPhoto(photo);
      } catch (error) {
        outcome.failures.push({ photo, error: error as Error });
      }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcome;
}

async function uploadPhoto(photo: PreparedPhoto): Promise<string> {
  const { filePath } = await performWithRetry(api.uploadImage, {
    query: { use: 'photo' },
    body: {},
    file: photo.file,
    fileName: photo.file.name,
    key: newKey(),
  });
  // What is not a path of the server, such as the image itself as text, was not uploaded.
  if (!uploadPath.test(filePath)) throw new CallFailed(0, '');
  return filePath;
}
