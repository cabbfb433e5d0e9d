// Finds or creates the key of the stored secrets. The database knows the key's fingerprint, so that
// the server never starts with another key, and never replaces a lost one unnoticed.
import { randomBytes } from 'node:crypto';
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from '../db/schema.ts';
import { undefinedIfMissing } from '../files/store.ts';
import { sync } from '../files/sync.ts';
import { newId } from '../ids.ts';
import { encryptPlainSecrets, reencryptSecrets } from './secret-columns.ts';
import { createSecrets, getFingerprint, keyBytes, type Secrets } from './secrets.ts';

type KeyConfig = Pick<Config, 'dataDir' | 'secretsKey'>;

export const keyFileName = 'secrets.key';
/** The name of a key file that is not the usual one: after a restore, or while keys are rotated. */
export const getKeyFileName = (key: Buffer) => `secrets.${getFingerprint(key).slice(0, 12)}.key`;
const keyFilePattern = /^secrets\.(?:[0-9a-f]{12}\.)?key$/;

/** Returns the key in a Base64 text; undefined if the text is not a key. */
export function parseKey(text: string): Buffer | undefined {
  const key = Buffer.from(text.trim(), 'base64');
  return key.length === keyBytes ? key : undefined;
}

const formatKey = (key: Buffer) => key.toString('base64');

/**
 * Returns the secrets of this database; creates the key file at the first start. Throws if the
 * database's secrets were encrypted with a key that is not here.
 */
export async function openSecrets(config: KeyConfig, db: Database): Promise<Secrets> {
  const fingerprint = await readFingerprint(db);
  const found = fingerprint === undefined ? undefined : await findKey(config, fingerprint);
  if (fingerprint !== undefined && !found) throwMissingKey(config);
  const secrets = createSecrets(found?.key ?? (await createKey(config, db)));
  await encryptPlainSecrets(db, secrets);
  return secrets;
}

function throwMissingKey({ secretsKey, dataDir }: KeyConfig): never {
  throw new Error(
    secretsKey
      ? 'SECRETS_KEY is not the key of this database. Set the key with which the database was used before.'
      : `The key of this database is missing: ${join(dataDir, keyFileName)}. Copy it from where the database was used before, or set SECRETS_KEY (docs/operating.md).`,
  );
}

/** Returns the fingerprint of the key with which the database's secrets are encrypted, if any. */
export async function readFingerprint(db: Database): Promise<string | undefined> {
  const row = await db.selectFrom('secrets_key').select('fingerprint').where('id', '=', 1).executeTakeFirst();
  return row?.fingerprint;
}

async function createKey(config: KeyConfig, db: Database): Promise<Buffer> {
  const key = config.secretsKey ?? (await readKeyFile(config, keyFileName)) ?? (await createKeyFile(config));
  await db
    .insertInto('secrets_key')
    .values({ id: 1, fingerprint: getFingerprint(key) })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  // Another instance may have been first, with another key.
  return (await readFingerprint(db)) === getFingerprint(key) ? key : throwMissingKey(config);
}

/** Creates the key file. Instances with the same folder that start at once get the same key. */
async function createKeyFile(config: KeyConfig): Promise<Buffer> {
  const name = `${keyFileName}.${newId()}`;
  const path = join(config.dataDir, name);
  const key = randomBytes(keyBytes);
  await writeKeyFile(config, name, key);
  try {
    await link(path, join(config.dataDir, keyFileName));
    return key;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readKeyFile(config, keyFileName)) ?? key;
  } finally {
    await rm(path);
    await sync(config.dataDir);
  }
}

/** Writes a key to the disk before it is used, readable by this user only. */
export async function writeKeyFile({ dataDir }: KeyConfig, name: string, key: Buffer): Promise<void> {
  const partialFile = join(dataDir, `${name}.partial`);
  await writeFile(partialFile, `${formatKey(key)}\n`, { mode: 0o600, flush: true });
  await rename(partialFile, join(dataDir, name));
  await sync(dataDir);
}

async function readKeyFile({ dataDir }: KeyConfig, name: string): Promise<Buffer | undefined> {
  const text = await readFile(join(dataDir, name), 'utf8').catch(undefinedIfMissing);
  if (text === undefined) return undefined;
  const key = parseKey(text);
  if (!key) throw new Error(`${join(dataDir, name)} is not a key. It must be ${keyBytes} bytes in Base64.`);
  return key;
}

/** Returns the key with this fingerprint, and the name of its file unless it is in the settings. */
export async function findKey(
  config: KeyConfig,
  fingerprint: string,
): Promise<{ key: Buffer; name?: string } | undefined> {
  const { secretsKey, dataDir } = config;
  if (secretsKey && getFingerprint(secretsKey) === fingerprint) return { key: secretsKey };
  for (const name of (await readdir(dataDir)).filter((name) => keyFilePattern.test(name))) {
    const key = await readKeyFile(config, name);
    if (key && getFingerprint(key) === fingerprint) return { key, name };
  }
  return undefined;
}

/**
 * Encrypts all secrets with a new key, which replaces the key file. If the key is in the settings,
 * `printKey` receives the new one before anything changes. If this stops halfway, the database and
 * one of the key files still belong together.
 */
export async function rotateSecrets(config: KeyConfig, db: Database, printKey: (key: string) => void): Promise<void> {
  const fingerprint = await readFingerprint(db);
  const found = fingerprint === undefined ? undefined : await findKey(config, fingerprint);
  if (!found) throwMissingKey(config);
  const next = randomBytes(keyBytes);
  if (found.name === undefined) printKey(formatKey(next));
  else await writeKeyFile(config, getKeyFileName(next), next);
  await db
    .transaction()
    .execute(async (db) => {
      await reencryptSecrets(db, found.key, next);
      await db
        .updateTable('secrets_key')
        .set({ fingerprint: getFingerprint(next) })
        .where('id', '=', 1)
        .execute();
    })
    .catch(async (error) => {
      // The connection may have failed after the commit: then the new key is needed.
      const isUnchanged = await readFingerprint(db).then(
        (stored) => stored === fingerprint,
        () => false,
      );
      if (isUnchanged) await rm(join(config.dataDir, getKeyFileName(next)), { force: true });
      throw error;
    });
  if (found.name === undefined) return;
  await rename(join(config.dataDir, getKeyFileName(next)), join(config.dataDir, keyFileName));
  if (found.name !== keyFileName) await rm(join(config.dataDir, found.name));
  await sync(config.dataDir);
}
