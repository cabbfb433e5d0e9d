// Restores a backup: verifies it, writes its files, and replaces the database in one last step.
// Until then nothing existing has changed.
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { connect } from '../db/connect.ts';
import { everyRow } from '../db/every-row.ts';
import { assertNotNewer } from '../db/migrate.ts';
import type { Database } from '../db/schema.ts';
import { hasTable } from '../db/tables.ts';
import { checkDataFolder, lockDataFolder } from '../files/data-folder.ts';
import { openFileStore } from '../files/open-store.ts';
import type { FileStore } from '../files/store.ts';
import { sha256 } from '../hash.ts';
import { getLedgerPathBeside, mergeLedgers } from '../retention/ledger.ts';
import { listLinkedUsers } from '../sign-in/session/identity-links.ts';
import { type BackupReader, openArchive } from './archive.ts';
import { createBackup, getBackupEngine } from './create-backup.ts';
import type { Manifest } from './manifest.ts';
import { restoreSecretsKey } from './secrets-key.ts';
import { withTemporaryFolder } from './temporary-folder.ts';
import { getManifestEngine, unpackDatabase } from './verify.ts';

type Restored = {
  manifest: Manifest;
  /** The folder of the backup of the data that was replaced, if there was any. */
  before: string | undefined;
  /** The secrets that were deleted, in words, because their key is missing. */
  lostSecrets: string[];
  /** The users with a second factor, which may have been removed since the backup. */
  secondFactorUsers: string[];
  /** The users who sign in through the provider, whose links may have been removed since the backup. */
  linkedUsers: string[];
};

/**
 * Restores to the storage in the settings. Throws if the backup is damaged, of another engine or a
 * newer version, if a server is running, or, without `force`, if the storage is not empty. With
 * `force`, existing data is backed up first.
 */
export async function restoreBackup(config: Config, folder: string, { force = false } = {}): Promise<Restored> {
  const backup = await openArchive(config, folder);
  const { manifest } = backup;
  await backup.check();
  const engine = getManifestEngine(manifest);
  if (engine !== getBackupEngine(config))
    throw new Error(
      `This backup is of ${manifest.engine === 'postgres' ? 'PostgreSQL' : 'SQLite'}, and the settings are for the other. Restore it to the same kind of database; npm run copy-storage can then copy SQLite to PostgreSQL.`,
    );
  await checkDataFolder(config.dataDir, { containsDatabase: !config.databaseUrl });
  return withTemporaryFolder(config, async (temporaryFolder) => {
    const database = await unpackDatabase(config, backup, temporaryFolder);
    assertNotNewer(manifest.schema);
    const releaseLock = lockDataFolder(config.dataDir);
    try {
      const hasExistingData = await engine.hasData(config);
      if (hasExistingData && !force)
        throw new Error('There is existing data. To replace it with the backup, add --force.');
      const backupBeforeRestore = join(config.dataDir, 'before-restore');
      const backupBefore = hasExistingData
        ? (await createBackup(config, backupBeforeRestore, { isInDataFolder: true })).folder
        : undefined;
      // The backup contains records that were destroyed after it. The next start reads the ledger
      // and destroys them again.
      await mergeLedgers(getLedgerPathBeside(resolve(folder)), config.retention.ledger);
      await writeFiles(backup, await openFileStore(config), () => engine.replaceDatabase(config, database));
      const lostSecrets = await restoreSecretsKey(config, backup);
      const db = await connect(config);
      try {
        return { manifest, before: backupBefore, lostSecrets, ...(await withdrawAccess(db)) };
      } finally {
        await db.destroy();
      }
    } finally {
      releaseLock();
    }
  });
}

/**
 * Deletes recovery codes and blocks shared devices, which may have been used or removed since the
 * backup. Returns the users with a second factor, and those who are linked to the provider.
 */
export async function withdrawAccess(db: Database): Promise<Pick<Restored, 'secondFactorUsers' | 'linkedUsers'>> {
  if (!(await hasTable(db, 'recovery_codes'))) return { secondFactorUsers: [], linkedUsers: [] };
  await db.deleteFrom('recovery_codes').where(everyRow).execute();
  // A device that was removed since the backup must not work again.
  if (await hasTable(db, 'shared_devices'))
    await db.updateTable('shared_devices').set({ is_allowed: 0 }).where(everyRow).execute();
  const users = new Set<string>();
  for (const table of ['authenticators', 'passkeys'] as const) {
    if (!(await hasTable(db, table))) continue;
    const rows = await db
      .selectFrom(table)
      .innerJoin('users', 'users.id', `${table}.user_id`)
      .select('users.username')
      .where('is_confirmed', '=', 1)
      .execute();
    for (const { username } of rows) users.add(username);
  }
  const linkedUsers = (await hasTable(db, 'identity_links')) ? await listLinkedUsers(db) : [];
  return { secondFactorUsers: [...users].toSorted(), linkedUsers };
}

/** Writes missing files, then runs the last step. On failure, deletes what it wrote. */
async function writeFiles({ manifest, read }: BackupReader, store: FileStore, lastStep: () => Promise<void>) {
  const writtenFiles: string[] = [];
  try {
    for (const [path, { sha256: hash }] of Object.entries(manifest.files)) {
      if (!path.startsWith('uploads/')) continue;
      const name = path.slice('uploads/'.length);
      const existingBytes = await store.read(name);
      if (existingBytes && sha256(existingBytes) === hash) continue;
      await store.write(name, await buffer(await read(path)));
      if (!existingBytes) writtenFiles.push(name);
    }
    await lastStep();
  } catch (error) {
    for (const name of writtenFiles) await store.remove(name);
    throw error;
  }
}
