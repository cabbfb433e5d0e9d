import { globSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createBackup } from '../backup/create-backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import type { Config } from '../config.ts';
import { createTestFolder } from '../testing/folder.ts';
import { listTexts, readEveryRow } from '../testing/naughty-fields.ts';
import { runProgram } from '../testing/process.ts';
import { changeRows } from '../testing/rows.ts';
import { setUpApp } from '../testing/second-step.ts';
import { engines } from '../testing/server.ts';
import { makePinUser } from '../testing/shared-devices.ts';
import { connectTo, createStorage } from '../testing/storage.ts';
import { createTestServer } from '../testing/test-server.ts';
import { createSecrets, getFingerprint, isEncrypted } from './secrets.ts';
import { findKey, keyFileName, openSecrets, readFingerprint, rotateSecrets } from './secrets-key.ts';

describe('an encrypted secret', () => {
  const secrets = createSecrets(Buffer.alloc(32, 1));
  const stored = secrets.encrypt('JBSWY3DPEHPK3PXP', 'sian');

  test('an encrypted secret can be decrypted with the same key for the same owner', () => {
    expect(secrets.decrypt(stored, 'sian')).toBe('JBSWY3DPEHPK3PXP');
    expect(secrets.encrypt('JBSWY3DPEHPK3PXP', 'sian')).not.toBe(stored);
  });

  test('an encrypted secret cannot be decrypted with another key, for another owner or after a change', () => {
    expect(() => createSecrets(Buffer.alloc(32, 2)).decrypt(stored, 'sian')).toThrow();
    expect(() => secrets.decrypt(stored, 'huw')).toThrow();
    for (let at = 3; at < stored.length; at++) {
      const changed = `${stored.slice(0, at)}${stored[at] === 'A' ? 'Q' : 'A'}${stored.slice(at + 1)}`;
      expect(() => secrets.decrypt(changed, 'sian')).toThrow();
    }
    expect(() => secrets.decrypt('JBSWY3DPEHPK3PXP', 'sian')).toThrow('not encrypted');
  });
});

describe.each(engines)('the key of stored secrets on %s', (engine) => {
  const passphrase = 'holiday park tide kettle';
  const folder = createTestFolder();

  const { server, admin } = createTestServer(engine);

  const readPushKey = async () => (await admin(api.getNotificationSettings)).pushKey;
  const readStoredKey = async (db = server.db) =>
    (await db.selectFrom('push_keys').select('private_key').executeTakeFirst())?.private_key;
  const keyFile = () => join(server.folder, keyFileName);

  const withoutSettings = () => ({ dataDir: server.folder, secretsKey: undefined });

  test('the first start creates a key file that only its user can read', async () => {
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600);
    const key = Buffer.from(readFileSync(keyFile(), 'utf8'), 'base64');
    expect(key).toHaveLength(32);
    expect(await readFingerprint(server.db)).toBe(getFingerprint(key));
  });

  test('instances that start at once with the same folder have the same key', async () => {
    const dataDir = mkdtempSync(join(folder, 'shared-'));
    await server.db.deleteFrom('secrets_key').execute();
    const config = { dataDir, secretsKey: undefined };
    const opened = await Promise.all(Array.from({ length: 8 }, () => openSecrets(config, server.db)));
    const stored = opened[0]?.encrypt('secret', '1') ?? '';
    expect(opened.map((secrets) => secrets.decrypt(stored, '1'))).toEqual(opened.map(() => 'secret'));
    expect(readdirSync(dataDir)).toEqual([keyFileName]);
    await server.db.deleteFrom('secrets_key').execute();
    await server.restart();
  });

  test('the key for push notifications is stored encrypted', async () => {
    await readPushKey();
    expect(isEncrypted((await readStoredKey()) ?? '')).toBe(true);
  });

  test('a key for push notifications stored by an earlier version is encrypted at the next start', async () => {
    const publicKey = await readPushKey();
    const secrets = await openSecrets(server.config, server.db);
    const privateKey = secrets.decrypt((await readStoredKey()) ?? '', '1');
    await server.db.updateTable('push_keys').set({ private_key: privateKey }).execute();
    await server.restart();
    expect(isEncrypted((await readStoredKey()) ?? '')).toBe(true);
    expect(secrets.decrypt((await readStoredKey()) ?? '', '1')).toBe(privateKey);
    expect(await readPushKey()).toBe(publicKey);
  });

  test('without its key the server does not start and no key is rotated, and the error says what is missing', async () => {
    renameSync(keyFile(), `${keyFile()}.away`);
    const open = (secretsKey?: Buffer<ArrayBuffer>) => openSecrets({ dataDir: server.folder, secretsKey }, server.db);
    await expect(open()).rejects.toThrow(`The key of this database is missing: ${keyFile()}`);
    await expect(open(Buffer.alloc(32, 7))).rejects.toThrow('SECRETS_KEY is not the key of this database');
    await expect(rotateSecrets(withoutSettings(), server.db, () => {})).rejects.toThrow(
      `The key of this database is missing: ${keyFile()}`,
    );
    renameSync(`${keyFile()}.away`, keyFile());
  });

  test('the key of stored secrets may be in the settings instead of a file', async () => {
    const secretsKey = Buffer.from(readFileSync(keyFile(), 'utf8'), 'base64');
    renameSync(keyFile(), `${keyFile()}.away`);
    const secrets = await openSecrets({ dataDir: server.folder, secretsKey }, server.db);
    expect(secrets.decrypt((await readStoredKey()) ?? '', '1')).not.toBe('');
    renameSync(`${keyFile()}.away`, keyFile());
  });

  test('of several key files the one with the fingerprint is taken', async () => {
    const other = Buffer.alloc(32, 1);
    const otherName = `secrets.${'0'.repeat(12)}.key`;
    writeFileSync(join(server.folder, otherName), other.toString('base64'));
    const find = async (fingerprint = '') => (await findKey(withoutSettings(), fingerprint))?.name;
    expect(await find(await readFingerprint(server.db))).toBe(keyFileName);
    expect(await find(getFingerprint(other))).toBe(otherName);
    expect(await find(getFingerprint(Buffer.alloc(32, 2)))).toBeUndefined();
    rmSync(join(server.folder, otherName));
  });

  test('a rotation replaces the key, and the server reads its secrets afterwards', async () => {
    const publicKey = await readPushKey();
    const before = readFileSync(keyFile(), 'utf8');
    await rotateSecrets(withoutSettings(), server.db, () => {});
    expect(readFileSync(keyFile(), 'utf8')).not.toBe(before);
    await server.restart();
    expect(await readPushKey()).toBe(publicKey);
  });

  test('a rotation encrypts each kind of secret with the new key', async () => {
    await readPushKey();
    await makePinUser(server);
    await setUpApp(await server.as('None'), Date.now);
    const listSecrets = async () => [...listTexts(await readEveryRow(server))].filter(isEncrypted);
    const before = await listSecrets();
    // As many as there are places in which something is encrypted. For a new kind, make one here.
    const calls = globSync('src/server/*/**/*.ts', { exclude: ['**/secrets/**', '**/*.test.ts'] }).flatMap(
      (file) => readFileSync(file, 'utf8').match(/\bsecrets\.encrypt\(/g) ?? [],
    );
    expect(before).toHaveLength(calls.length);
    await rotateSecrets(withoutSettings(), server.db, () => {});
    const after = await listSecrets();
    expect(after).toHaveLength(before.length);
    expect(after.filter((secret) => before.includes(secret))).toEqual([]);
    await server.restart();
  });

  test('a rotation of the key that meets an unreadable secret changes nothing', async () => {
    const stored = (await readStoredKey()) ?? '';
    const fingerprint = await readFingerprint(server.db);
    const key = readFileSync(keyFile(), 'utf8');
    await changeRows(server.db, 'push_keys', {}, { private_key: `${stored}AAAA` });
    await expect(rotateSecrets(withoutSettings(), server.db, () => {})).rejects.toThrow();
    await server.db.updateTable('push_keys').set({ private_key: stored }).execute();
    expect(await readFingerprint(server.db)).toBe(fingerprint);
    expect(readFileSync(keyFile(), 'utf8')).toBe(key);
    await server.restart();
  });

  test('a server starts after a rotation that was killed before it renamed the new key', async () => {
    const publicKey = await readPushKey();
    const oldKey = readFileSync(keyFile(), 'utf8');
    await rotateSecrets(withoutSettings(), server.db, () => {});
    const fingerprint = (await readFingerprint(server.db)) ?? '';
    renameSync(keyFile(), join(server.folder, `secrets.${fingerprint.slice(0, 12)}.key`));
    writeFileSync(keyFile(), oldKey);
    await server.restart();
    expect(await readPushKey()).toBe(publicKey);
    await rotateSecrets(withoutSettings(), server.db, () => {});
    expect(readdirSync(server.folder).filter((name) => name.startsWith('secrets'))).toEqual([keyFileName]);
    await server.restart();
    expect(await readPushKey()).toBe(publicKey);
  });

  test('a rotation of a key in the settings prints the new key', async () => {
    const printed: string[] = [];
    const oldKey = Buffer.from(readFileSync(keyFile(), 'utf8'), 'base64');
    const printKey = (key: string) => void printed.push(key);
    await rotateSecrets({ dataDir: folder, secretsKey: oldKey }, server.db, printKey);
    expect(await readFingerprint(server.db)).toBe(getFingerprint(Buffer.from(printed[0] ?? '', 'base64')));
    writeFileSync(keyFile(), printed[0] ?? '');
    await server.restart();
  });

  const rotate = ({ dataDir, databaseUrl }: Config) =>
    runProgram([join(import.meta.dirname, '../cli/rotate-secrets.ts')], {
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
    });
  async function restoreTo(backup: string, config: Config) {
    const target = { ...config, ...(await createStorage(engine)) };
    const { lostSecrets } = await restoreBackup(target, backup);
    const db = await connectTo(target);
    const secrets = await openSecrets(target, db);
    const stored = await readStoredKey(db);
    return { target, lostSecrets, privateKey: stored && secrets.decrypt(stored, '1') };
  }

  test('a backup under a passphrase contains the key, and its restore reads the secrets', async () => {
    await readPushKey();
    const config = { ...server.config, backup: { ...server.config.backup, passphrase, work: 8 } };
    const { folder: backup, manifest } = await createBackup(config, join(folder, 'encrypted'));
    expect(manifest.files).toHaveProperty(['secrets.key']);
    const secrets = await openSecrets(server.config, server.db);
    const { target, ...restored } = await restoreTo(backup, config);
    const privateKey = secrets.decrypt((await readStoredKey()) ?? '', '1');
    expect(restored).toEqual({ lostSecrets: [], privateKey });
    expect(await rotate(target)).toMatchObject({ code: 0 });
    expect(readFileSync(join(target.dataDir, keyFileName), 'utf8')).not.toBe(readFileSync(keyFile(), 'utf8'));
  });

  test('the key is not rotated while a server runs', async () => {
    await readPushKey();
    const [key, stored] = [readFileSync(keyFile(), 'utf8'), await readStoredKey()];
    const { code, output } = await rotate(server.config);
    expect(code).toBe(1);
    expect(output).toContain('Another server or command is using the data folder');
    expect([readFileSync(keyFile(), 'utf8'), await readStoredKey()]).toEqual([key, stored]);
  });

  test('a backup without a passphrase has no key, and its restore deletes the secrets and says so', async () => {
    await readPushKey();
    const { folder: backup, manifest } = await createBackup(server.config, join(folder, 'plain'));
    expect(manifest.files).not.toHaveProperty(['secrets.key']);
    const { lostSecrets, privateKey } = await restoreTo(backup, server.config);
    expect(lostSecrets).toEqual([
      expect.stringContaining('push notifications'),
      expect.stringContaining('apps'),
      expect.stringContaining('PINs'),
    ]);
    expect(privateKey).toBeUndefined();
  });
});
