// Creates a backup of a running server: first a snapshot of the database, then the files it names.
// Files never change, and purges are paused while it runs, so every named file can be copied. This also
// runs before migrations: it may only read what exists in every schema version.
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { connect } from '../db/connect.ts';
import { setCounter } from '../db/counters.ts';
import { withPurgesPaused } from '../db/purge-pause.ts';
import { readPages } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import { openFileStore } from '../files/open-store.ts';
import { sync } from '../files/sync.ts';
import { getFilePath } from '../files/upload-path.ts';
import { sha256 } from '../hash.ts';
import { getLedgerPathBeside, mergeLedgers } from '../retention/ledger.ts';
import { version } from '../version.ts';
import { type BackupWriter, createArchive, fileExists, partialEnding } from './archive.ts';
import type { TemporaryFolder } from './engine.ts';
import { describeFile, type Manifest, readDatabaseFacts } from './manifest.ts';
import { createKey, readPassphrase } from './passphrase.ts';
import { postgresBackup } from './postgres.ts';
import { createBackupName } from './retention.ts';
import { copySecretsKey } from './secrets-key.ts';
import { sqliteBackup } from './sqlite.ts';
import { withTemporaryFolder } from './temporary-folder.ts';

export const getBackupEngine = (config: Config) => (config.databaseUrl ? postgresBackup : sqliteBackup);

/**
 * Creates a backup in a new folder in `parentFolder`, named by the time, and returns its path;
 * leaves nothing behind on failure. With `isInDataFolder`, the backup is in the data folder: it needs no
 * passphrase, links photos instead of copying them, and does not count as the last backup for
 * monitoring.
 */
export async function createBackup(
  config: Config,
  parentFolder: string,
  { now = new Date(), isInDataFolder = false } = {},
): Promise<{ folder: string; manifest: Manifest }> {
  const passphrase = isInDataFolder ? undefined : await readPassphrase(config);
  const folder = await findFreeFolder(resolve(parentFolder), now);
  const partialFolder = `${folder}${partialEnding}`;
  if (!(await getBackupEngine(config).hasData(config)))
    throw new Error('There is no database to back up. Set DATA_DIR (or DATABASE_URL) as the server has it.');
  return withTemporaryFolder(config, async (temporaryFolder) => {
    const db = await connect(config);
    try {
      await mkdir(resolve(parentFolder), { recursive: true, mode: 0o700 });
      await temporaryFolder.recordUnfinished({ backup: partialFolder });
      await mkdir(partialFolder, { mode: 0o700 });
      try {
        const key = passphrase === undefined ? undefined : await createKey(passphrase, config.backup.scryptWorkFactor);
        const writer = await createArchive(partialFolder, key);
        const copy =
          isInDataFolder && !config.bucket.bucket ? linkUploads(config, writer) : await copyUploads(config, writer);
        const manifest = await withPurgesPaused(db, now, () =>
          writeArchive(config, partialFolder, temporaryFolder, writer, copy, now),
        );
        await rename(partialFolder, folder);
        await sync(resolve(parentFolder));
        if (!isInDataFolder) await mergeLedgers(config.retention.ledger, getLedgerPathBeside(folder));
        if (!isInDataFolder) await setCounter(db, 'last backup', Math.floor(now.getTime() / 1000));
        return { folder, manifest };
      } catch (error) {
        await rm(partialFolder, { recursive: true, force: true });
        throw error;
      }
    } finally {
      await db.destroy();
    }
  });
}

/** Returns the first unused folder name: backups within the same second are named by the following seconds. */
async function findFreeFolder(parentFolder: string, now: Date): Promise<string> {
  for (let at = now.getTime(); ; at += 1000) {
    const folder = join(parentFolder, createBackupName(new Date(at)));
    if (!(await fileExists(folder))) return folder;
  }
}

/**
 * Deletes finished backups by name. If this is interrupted, no backup looks complete that is not.
 */
export async function deleteBackups(config: Config, folder: string, names: string[]): Promise<void> {
  if (names.length === 0) return;
  await withTemporaryFolder(config, async (temporaryFolder) => {
    for (const name of names) {
      const [backup, partialBackup] = [join(resolve(folder), name), join(resolve(folder), `${name}${partialEnding}`)];
      await temporaryFolder.recordUnfinished({ backup: partialBackup });
      await rename(backup, partialBackup);
      await rm(partialBackup, { recursive: true });
    }
  });
}

/** Adds one upload to the backup and returns its manifest entries. */
type CopyUpload = (upload: Upload) => Promise<Manifest['files']>;

async function writeArchive(
  config: Config,
  folder: string,
  temporaryFolder: TemporaryFolder,
  writer: BackupWriter,
  copy: CopyUpload,
  now: Date,
) {
  const engine = getBackupEngine(config);
  const file = join(writer.isEncrypted ? temporaryFolder.folder : folder, engine.fileName);
  const files: Manifest['files'] = {};
  const facts = await engine.dump(config, file, async (db) => {
    for await (const uploads of readUploadPages(db)) {
      // Wait for all copies even if one fails: the folder is deleted afterwards, so no copy may
      // still be writing.
      for (const copyResult of await Promise.allSettled(uploads.map(copy))) {
        if (copyResult.status === 'rejected') throw copyResult.reason;
        Object.assign(files, copyResult.value);
      }
    }
    return readDatabaseFacts(db);
  });
  files[engine.fileName] = await describeFile(file);
  if (writer.isEncrypted) await writer.putFile(engine.fileName, file);
  Object.assign(files, await copySecretsKey(config, writer));
  const manifest: Manifest = { format: 1, made_at: now.toISOString(), version, engine: engine.name, ...facts, files };
  await writer.writeManifest(manifest);
  return manifest;
}

type Upload = { path: string; sha256_stored: string };

export function readUploadPages(db: Database): AsyncGenerator<Upload[]> {
  const uploads = db.selectFrom('uploads').select(['path', 'sha256_stored']).orderBy('path').limit(16);
  return readPages((last) => uploads.where('path', '>', last?.path ?? '').execute(), 16);
}

async function copyUploads(config: Config, writer: BackupWriter): Promise<CopyUpload> {
  const source = await openFileStore(config, { isInUse: true });
  return async ({ path, sha256_stored }) => {
    const name = getFilePath(path);
    const bytes = await source.read(name);
    if (!bytes) throw createMissingError(path);
    if (sha256(bytes) !== sha256_stored)
      throw new Error(`The file ${path} is damaged. Look for it in an older backup.`);
    await writer.put(`uploads/${name}`, bytes);
    return { [`uploads/${name}`]: { size: bytes.length, sha256: sha256_stored } };
  };
}

function linkUploads({ dataDir }: Config, writer: BackupWriter): CopyUpload {
  return async ({ path, sha256_stored }) => {
    const name = getFilePath(path);
    const file = join(dataDir, 'uploads', name);
    const { size } = await stat(file).catch(() => {
      throw createMissingError(path);
    });
    await writer.putLink(`uploads/${name}`, file);
    return { [`uploads/${name}`]: { size, sha256: sha256_stored } };
  };
}

const createMissingError = (path: string) =>
  new Error(`The file ${path}, which the database names, is missing. Look for it in an older backup.`);
