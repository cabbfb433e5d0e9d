import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, statSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api.ts';
import type { Config } from '../config.ts';
import { sha256 } from '../hash.ts';
import { newReport } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { runProgram } from '../testing/process.ts';
import { readRows } from '../testing/rows.ts';
import { engines } from '../testing/server.ts';
import { connectTo, createStorage } from '../testing/storage.ts';
import { createTestServer } from '../testing/test-server.ts';
import { openArchive } from './archive.ts';
import { createBackup } from './create-backup.ts';
import { readPassphrase } from './passphrase.ts';
import { restoreBackup } from './restore.ts';
import { verifyBackup } from './verify.ts';

const passphrase = 'holiday park tide kettle';

describe.each(engines)('an encrypted backup on %s', (engine) => {
  const folder = createTestFolder();
  let backup: string;
  let encryptedConfig: Config;
  const seenFileNames = new Set<string>();

  const { server, admin } = createTestServer(engine);
  beforeAll(async () => {
    await admin(api.submitAccident, { body: await newReport(admin) });
    // Deriving a key from a passphrase takes seconds, so only the test of the command does it at
    // full cost.
    encryptedConfig = { ...server.config, backup: { ...server.config.backup, passphrase, scryptWorkFactor: 8 } };
    const into = join(folder, 'backups');
    const folderWatcher = watch(folder, { recursive: true }, (_, name) => void seenFileNames.add(String(name)));
    backup = (await createBackup(encryptedConfig, into)).folder;
    folderWatcher.close();
  });

  const listFilesIn = (root: string) =>
    (readdirSync(root, { recursive: true }) as string[]).filter((name) => statSync(join(root, name)).isFile());

  test('an encrypted backup never contains plaintext and leaves none in the data folder', () => {
    const files = listFilesIn(backup);
    expect(files.length).toBeGreaterThanOrEqual(5);
    for (const name of files) {
      expect(name).toMatch(/\.age$/);
      expect(readFileSync(join(backup, name)).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    }
    // The watcher has also recorded folders, so keep only files.
    const partialFileNames = [...seenFileNames].filter((name) => name.includes('.partial/'));
    expect(partialFileNames.length).toBeGreaterThanOrEqual(files.length);
    for (const name of partialFileNames) expect(name).toMatch(/(\.age|\/uploads(\/\d+)*)$/);
    expect(readdirSync(server.folder).filter((name) => name.startsWith('.backup-'))).toEqual([]);
  });

  test('an encrypted backup restores completely with its passphrase', async () => {
    const targetConfig = { ...encryptedConfig, ...(await createStorage(engine)) };
    const { manifest } = await restoreBackup(targetConfig, backup);
    expect(await readRows(await connectTo(targetConfig), 'reports')).toEqual(
      await server.db.selectFrom('reports').selectAll().execute(),
    );
    const uploads = Object.entries(manifest.files).filter(([path]) => path.startsWith('uploads/'));
    expect(uploads.length).toBeGreaterThanOrEqual(3);
    for (const [path, manifestEntry] of uploads)
      expect(sha256(readFileSync(join(targetConfig.dataDir, path)))).toBe(manifestEntry.sha256);
    expect(readdirSync(targetConfig.dataDir).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  test.runIf(engine === 'sqlite')(
    'an encrypted backup cannot be restored without its passphrase or with another one, and nothing changes',
    async () => {
      const dataDir = mkdtempSync(join(folder, 'untouched-'));
      const other = (text: string) => ({
        ...encryptedConfig,
        dataDir,
        backup: { ...encryptedConfig.backup, passphrase: text },
      });
      for (const attempt of [verifyBackup, restoreBackup]) {
        await expect(attempt(other(''), backup)).rejects.toThrow(
          'This backup needs a passphrase: set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE.',
        );
      }
      await expect(restoreBackup(other(`${passphrase} `), backup)).rejects.toThrow('The passphrase is wrong');
      expect(readdirSync(dataDir)).toEqual([]);
    },
  );

  test.runIf(engine === 'sqlite')('an encrypted backup detects a flipped bit in any of its files', async () => {
    const names = listFilesIn(backup).filter((name) => !/^(key|manifest)/.test(name));
    const contents = await openArchive(encryptedConfig, backup);
    await contents.check();
    for (let attempt = 0; attempt < 40; attempt++) {
      const path = join(backup, names[attempt % names.length] ?? '');
      const bytes = readFileSync(path);
      const damagedBytes = Buffer.from(bytes);
      // A random position is rarely in the short header, so every other flipped bit is there.
      const offset = Math.floor(Math.random() * (attempt % 2 ? bytes.length : 200));
      damagedBytes[offset] = (damagedBytes[offset] ?? 0) ^ (1 << (attempt % 8));
      writeFileSync(path, damagedBytes);
      await expect(contents.check(), `bit ${offset}.${attempt % 8} of ${path}`).rejects.toThrow(
        'The backup is damaged',
      );
      writeFileSync(path, bytes);
    }
    await contents.check();
    const manifest = join(backup, 'manifest.json.age');
    const bytes = readFileSync(manifest);
    writeFileSync(manifest, bytes.subarray(0, -1));
    await expect(openArchive(encryptedConfig, backup)).rejects.toThrow('manifest.json has changed');
    writeFileSync(manifest, bytes);
  });

  test.runIf(engine === 'sqlite')(
    'an encrypted backup created with a passphrase file can be opened by the age program',
    async () => {
      writeFileSync(join(folder, 'passphrase'), `${passphrase}\n`);
      const into = join(folder, 'by-command');
      const settings = { DATA_DIR: server.folder, BACKUP_PASSPHRASE_FILE: join(folder, 'passphrase') };
      expect(await runProgram([join(import.meta.dirname, '../cli/backup.ts'), into], settings)).toMatchObject({
        code: 0,
      });
      const backupFolder = join(into, readdirSync(into)[0] ?? '');
      expect(readFileSync(join(backupFolder, 'key.age'), 'utf8')).toMatch(
        /^age-encryption.org\/v1\n-> scrypt \S+ 18\n/,
      );
      // The age program reads a passphrase only from a terminal, which `script` provides.
      const key = spawnSync('script', ['-qec', `age -d ${join(backupFolder, 'key.age')}`, '/dev/null'], {
        input: `${passphrase}\n`,
        encoding: 'utf8',
      });
      const identity = /AGE-SECRET-KEY-1[0-9A-Z]+/.exec(key.stdout)?.[0];
      const database = spawnSync('age', ['-d', '-i', '-', join(backupFolder, 'database.sqlite.age')], {
        input: identity,
      });
      expect(database.stdout.subarray(0, 15).toString()).toBe('SQLite format 3');
    },
  );
});

test('a weak backup passphrase, or one set both as text and as a file, is rejected', async () => {
  const config = (passphrase: string, passphraseFile: string) => ({ backup: { passphrase, passphraseFile } }) as Config;
  expect(await readPassphrase(config('', ''))).toBeUndefined();
  await expect(readPassphrase(config('elevenchars', ''))).rejects.toThrow('too short');
  await expect(readPassphrase(config(passphrase, '/file'))).rejects.toThrow('not both');
  const folder = createTestFolder(onTestFinished);
  writeFileSync(join(folder, 'empty'), '\n');
  await expect(readPassphrase(config('', join(folder, 'empty')))).rejects.toThrow('too short');
  await expect(readPassphrase(config('', join(folder, 'none')))).rejects.toThrow(
    'BACKUP_PASSPHRASE_FILE cannot be read (ENOENT)',
  );
});
