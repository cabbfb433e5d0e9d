// Where this installation's files rest, by its settings.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type FileStore, openDiskStore } from './store.ts';

/** The bucket where one is configured, else a folder in the data folder. `isInUse`: a server may be at work on it. */
export async function openFileStore(
  { bucket, dataDir }: Config,
  options: { isInUse?: boolean } = {},
): Promise<FileStore> {
  if (bucket.bucket) return (await import('./bucket.ts')).openBucket(bucket);
  return openDiskStore(join(dataDir, 'uploads'), options);
}

/** Whether the data folder holds anything that two servers at once would harm. */
export const isDataFolderExclusive = ({ bucket, databaseUrl }: Config) => !bucket.bucket || !databaseUrl;
