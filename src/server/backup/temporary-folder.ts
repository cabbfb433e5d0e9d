// A private folder in the data folder for unfinished backups, verifications and restores. A killed
// process leaves it behind; the next one sees from its lock that nobody uses it, and cleans up.
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { lockDataFolder } from '../files/data-folder.ts';
import { partialEnding } from './archive.ts';
import type { TemporaryFolder, UnfinishedItem } from './engine.ts';
import { dropVerificationDatabase } from './postgres.ts';

const prefix = '.backup-';
const journalName = 'unfinished';

/** Cleans up after killed processes, then runs `work` with a folder of its own. */
export async function withTemporaryFolder<T>(
  config: Config,
  work: (folder: TemporaryFolder) => Promise<T>,
): Promise<T> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  for (const name of await readdir(config.dataDir))
    if (name.startsWith(prefix)) await deleteUnfinished(config, join(config.dataDir, name));
  const folder = await mkdtemp(join(config.dataDir, prefix));
  const unlock = lockDataFolder(folder);
  try {
    const recordUnfinished = (unfinished: UnfinishedItem) =>
      appendFile(join(folder, journalName), `${JSON.stringify(unfinished)}\n`, { flush: true });
    return await work({ folder, recordUnfinished });
  } finally {
    unlock();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Deletes the folder and its unfinished items, unless another process uses it. */
async function deleteUnfinished(config: Config, folder: string): Promise<void> {
  let unlock: () => void;
  try {
    unlock = lockDataFolder(folder);
  } catch {
    return;
  }
  const lines = await readFile(join(folder, journalName), 'utf8').catch(() => '');
  for (const line of lines.split('\n').filter(isCompleteLine)) {
    const unfinished = JSON.parse(line) as UnfinishedItem;
    if ('database' in unfinished) await dropVerificationDatabase(config, unfinished.database);
    else if (unfinished.backup.endsWith(partialEnding)) await rm(unfinished.backup, { recursive: true, force: true });
  }
  unlock();
  await rm(folder, { recursive: true, force: true });
}

/**
 * Whether the whole line was written. A process that was killed while it wrote a line had not yet
 * created the item, so there is nothing to delete.
 */
const isCompleteLine = (line: string) => line.endsWith('}');
