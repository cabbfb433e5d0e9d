// Opens the configured file store.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type FileStore, openDiskStore } from './store.ts';

/**
 * Opens the bucket if one is configured, otherwise the uploads folder in the data folder.
 * `isInUse`: a server may be using that folder, so its unfinished files are not deleted.
 */
export async function openFileStore(
  { bucket, dataDir }: Config,
  options: { isInUse?: boolean } = {},
): Promise<FileStore> {
  if (bucket.bucket) return (await import('./bucket.ts')).openBucket(bucket);
  return openDiskStore(join(dataDir, 'uploads'), options);
}

/** Whether the data folder contains anything that two servers must not share. */
export const needsDataFolderLock = ({ bucket, databaseUrl }: Config) => !bucket.bucket || !databaseUrl;
