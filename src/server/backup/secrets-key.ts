// Adds the key of the stored secrets to backups, and gets it from a backup at a restore.
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { connect } from '../db/connect.ts';
import { hasTable } from '../db/tables.ts';
import { undefinedIfMissing } from '../files/store.ts';
import { sha256 } from '../hash.ts';
import { deleteSecrets } from '../secrets/secret-columns.ts';
import { getFingerprint } from '../secrets/secrets.ts';
import {
  findKey,
  getKeyFileName,
  keyFileName,
  parseKey,
  readFingerprint,
  writeKeyFile,
} from '../secrets/secrets-key.ts';
import type { BackupReader, BackupWriter } from './archive.ts';
import type { Manifest } from './manifest.ts';

/**
 * Adds the key file to a backup under a passphrase; a backup that anyone can read must not contain
 * it. Returns its manifest entry.
 */
export async function copySecretsKey({ dataDir }: Config, writer: BackupWriter): Promise<Manifest['files']> {
  const bytes = writer.isEncrypted ? await readIfExists(join(dataDir, keyFileName)) : undefined;
  if (!bytes) return {};
  await writer.put(keyFileName, bytes);
  return { [keyFileName]: { size: bytes.length, sha256: sha256(bytes) } };
}

/**
 * Call after the database was restored. If the key of its secrets is only in the backup, makes that
 * the server's key and keeps the previous one under another name. If it is nowhere, deletes the
 * secrets. Returns what was deleted, in words.
 */
export async function restoreSecretsKey(config: Config, { manifest, read }: BackupReader): Promise<string[]> {
  const db = await connect(config);
  try {
    const fingerprint = (await hasTable(db, 'secrets_key')) ? await readFingerprint(db) : undefined;
    if (fingerprint === undefined || (await findKey(config, fingerprint))) return [];
    const bytes = keyFileName in manifest.files ? await buffer(await read(keyFileName)) : undefined;
    const key = bytes && parseKey(bytes.toString());
    if (!key || getFingerprint(key) !== fingerprint) return await deleteSecrets(db);
    const path = join(config.dataDir, keyFileName);
    const previousKey = parseKey((await readIfExists(path))?.toString() ?? '');
    if (previousKey) await rename(path, join(config.dataDir, getKeyFileName(previousKey)));
    await writeKeyFile(config, keyFileName, key);
    return [];
  } finally {
    await db.destroy();
  }
}

const readIfExists = (path: string) => readFile(path).catch(undefinedIfMissing);
