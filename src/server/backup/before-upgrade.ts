import { basename, join } from 'node:path';
import type { Config } from '../config.ts';
import { openArchive } from './archive.ts';
import { createBackup, deleteBackups } from './create-backup.ts';
import { listBackups } from './retention.ts';

const maxVersions = 3;

/**
 * Creates a backup in the folder `before-upgrade` of the data folder, and deletes all but the last
 * few there. Returns the backup's folder. Throws an error that says what to do.
 */
export async function backUpBeforeUpgrade(config: Config, now: Date): Promise<string> {
  const backupFolder = join(config.dataDir, 'before-upgrade');
  try {
    const { folder } = await createBackup(config, backupFolder, { now, isInDataFolder: true });
    const surplusBackups = (await listSurplusBackups(config, backupFolder)).filter((name) => name !== basename(folder));
    await deleteBackups(config, backupFolder, surplusBackups);
    return folder;
  } catch (error) {
    throw new Error(
      `The database is of an older version, and no backup could be created before its upgrade: ${(error as Error).message}\nCorrect this, or back it up with the older version (npm run backup) and start with BACKUP_BEFORE_UPGRADE=0.`,
      { cause: error },
    );
  }
}

/**
 * Returns all backups except the newest of each of the last schema versions, so that repeated
 * failed starts do not displace older versions.
 */
async function listSurplusBackups(config: Config, backupFolder: string): Promise<string[]> {
  const newestFirstNames = (await listBackups(backupFolder)).toReversed();
  const versions = await Promise.all(
    newestFirstNames.map(async (name) => {
      const { manifest } = await openArchive(config, join(backupFolder, name));
      return manifest.schema.join();
    }),
  );
  return newestFirstNames.filter(
    (_, index) =>
      versions.indexOf(versions[index] ?? '') !== index || new Set(versions.slice(0, index)).size >= maxVersions,
  );
}
