// Where this installation's files rest, by its settings.
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type FileStore, openDisk } from './store.ts';

/** The folder in the data folder. `beside`: a server may be at work on it. */
export async function openFiles(config: Config, options: { beside?: boolean } = {}): Promise<FileStore> {
  return openDisk(join(config.dataDir, 'uploads'), options);
}
