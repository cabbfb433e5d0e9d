// Verifies a backup by restoring it to a temporary place.
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { verifyLog } from '../activity/verify.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/schema.ts';
import { getFilePath } from '../files/upload-path.ts';
import { describeBrokenLink, findBrokenLinks } from '../records/links.ts';
import { type BackupReader, openArchive } from './archive.ts';
import { readUploadPages } from './create-backup.ts';
import type { TemporaryFolder } from './engine.ts';
import { type Manifest, readDatabaseFacts } from './manifest.ts';
import { postgresBackup } from './postgres.ts';
import { sqliteBackup } from './sqlite.ts';
import { withTemporaryFolder } from './temporary-folder.ts';

export const getManifestEngine = ({ engine }: Manifest) => (engine === 'postgres' ? postgresBackup : sqliteBackup);

/** Reads every byte of a backup. Rejects with the first error, or resolves with its manifest. */
export async function verifyBackup(config: Config, folder: string): Promise<Manifest> {
  const backup = await openArchive(config, folder);
  await backup.check();
  await withTemporaryFolder(config, (temporaryFolder) =>
    unpackDatabase(config, backup, temporaryFolder, assertNoBrokenLinks),
  );
  return backup.manifest;
}

/** Not part of a restore: such a backup is better than none. */
async function assertNoBrokenLinks(db: Database): Promise<void> {
  const broken = await findBrokenLinks(db);
  if (broken.length > 0)
    throw new Error(
      `The backup is complete, but its database has links to nothing (docs/operating.md):\n${broken.map(describeBrokenLink).join('\n')}`,
    );
}

/**
 * Verifies the database of a backup whose files were checked, also with `check`; returns the path of a plaintext copy
 * of it.
 */
export async function unpackDatabase(
  config: Config,
  backup: BackupReader,
  temporaryFolder: TemporaryFolder,
  check?: (db: Database) => Promise<void>,
): Promise<string> {
  const { manifest } = backup;
  if (manifest.engine === 'postgres' && !config.databaseUrl)
    throw new Error('This backup is of PostgreSQL: set DATABASE_URL to a server on which to check it.');
  const engine = getManifestEngine(manifest);
  const databasePath = join(temporaryFolder.folder, engine.fileName);
  await pipeline(await backup.read(engine.fileName), createWriteStream(databasePath, { mode: 0o600, flags: 'wx' }));
  await engine.inspect(config, databasePath, temporaryFolder, async (db) => {
    await assertMatchesManifest(db, manifest);
    await check?.(db);
  });
  return databasePath;
}

async function assertMatchesManifest(db: Database, manifest: Manifest): Promise<void> {
  const facts = await readDatabaseFacts(db);
  for (const key of ['schema', 'tables', 'activity'] as const)
    if (toCanonicalJson(facts[key]) !== toCanonicalJson(manifest[key]))
      throw new Error(`The backup is damaged: its database and its manifest do not have the same ${key}.`);
  const { badRow } = await verifyLog(db);
  if (badRow) throw new Error(`Row ${badRow.seq} of the activity log in the backup ${badRow.reason}.`);
  for await (const page of readUploadPages(db))
    for (const { path, sha256_stored } of page)
      if (manifest.files[`uploads/${getFilePath(path)}`]?.sha256 !== sha256_stored)
        throw new Error(`The backup is damaged: it lacks ${path}, which its database names.`);
}

const toCanonicalJson = (value: object) => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
