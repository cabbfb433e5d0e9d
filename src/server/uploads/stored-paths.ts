import type { StoredMediaFile } from '#shared/uploads.ts';

/** Returns the paths of photos that are stored as JSON: a list, or the `media_files` of an object. Skips damaged JSON. */
export function listStoredPaths(json: string): string[] {
  let stored: unknown;
  try {
    stored = JSON.parse(json);
  } catch {
    return [];
  }
  const photos = Array.isArray(stored) ? stored : Object(stored).media_files;
  return Array.isArray(photos) ? (photos as StoredMediaFile[]).map(({ path }) => path) : [];
}
