// Where this installation's files rest, by its settings.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type FileStore, openDisk } from './store.ts';

/** The bucket where one is configured, else a folder in the data folder. `beside`: a server may be at work on it. */
export async function openFiles({ bucket, dataDir }: Config, options: { beside?: boolean } = {}): Promise<FileStore> {
  if (bucket.bucket) return (await import('./bucket.ts')).openBucket(bucket);
  return openDisk(join(dataDir, 'uploads'), options);
}

/** Whether the data folder holds anything that two servers at once would harm. */
export const isFolderOwned = ({ bucket, databaseUrl }: Config) => !bucket.bucket || !databaseUrl;
