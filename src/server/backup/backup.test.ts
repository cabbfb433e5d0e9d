import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { type Config, parseConfig } from '../config.ts';
import { connect, getSqlitePath } from '../db/connect.ts';
import { everyRow } from '../db/every-row.ts';
import { withPurgesPaused } from '../db/purge-pause.ts';
import { getFilePath } from '../files/upload-path.ts';
import { deleteUnusedUploads } from '../maintenance/unused-uploads.ts';
import { newReport } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { runProgram } from '../testing/process.ts';
import { engines, signInAt } from '../testing/server.ts';
import { mountSmallDisk } from '../testing/small-disk.ts';
import { createStorage } from '../testing/storage.ts';
import { createTestServer } from '../testing/test-server.ts';
import { createBackup } from './create-backup.ts';
import { createManifestHash, describeFile, manifestHashName, manifestName } from './manifest.ts';
import { restoreBackup } from './restore.ts';
import { verifyBackup } from './verify.ts';

describe.each(engines)('backups on %s', (engine) => {
  const folder = createTestFolder();

  const { server } = createTestServer(engine);
  const staff = server.user('Admin');
  beforeAll(async () => {
    for (let count = 0; count < 5; count++) await staff(api.submitAccident, { body: await newReport(staff) });
  });

  /** An empty installation with the same engine. */
  const createEmptyStorage = async (): Promise<Config> => ({ ...server.config, ...(await createStorage(engine)) });

  const program = (name: string, args: string[], config: Config) =>
    runProgram([join(import.meta.dirname, '../cli', `${name}.ts`), ...args], {
      DATA_DIR: config.dataDir,
      DATABASE_URL: config.databaseUrl,
    });

  async function readContents(config: Config) {
    const db = await connect(config);
    try {
      return {
        reports: await db.selectFrom('reports').selectAll().orderBy('id').execute(),
        uploads: await db.selectFrom('uploads').selectAll().orderBy('path').execute(),
        users: await db.selectFrom('users').selectAll().orderBy('id').execute(),
        activity: await db.selectFrom('activity').selectAll().orderBy('seq').execute(),
        sessions: await db.selectFrom('sessions').selectAll().execute(),
      };
    } finally {
      await db.destroy();
    }
  }

  test("a restored installation starts and accepts the users' passwords", async () => {
    const options = { isInDataFolder: true };
    const { folder: backup } = await createBackup(server.config, join(folder, 'goes-on'), options);
    const targetConfig = await createEmptyStorage();
    await restoreBackup(targetConfig, backup);
    const { start } = await import('../start.ts');
    const restoredServer = await start(targetConfig);
    try {
      const { port } = restoredServer.server.server.address() as { port: number };
      const url = `http://127.0.0.1:${port}`;
      const before = (await (await signInAt(url, staff.username))(api.listReports)).length;
      const restoredStaff = await signInAt(url, staff.username);
      await restoredStaff(api.submitIncident, { body: await newReport(restoredStaff) });
      expect((await restoredStaff(api.listReports)).length).toBe(before + 1);
    } finally {
      await restoredServer.stop();
    }
  });

  test('verifying a backup detects a flipped bit and a truncated, missing or extra file', async () => {
    const { folder: backupFolder } = await createBackup(server.config, join(folder, 'to-damage'));
    const files = (readdirSync(backupFolder, { recursive: true }) as string[]).filter((name) =>
      statSync(join(backupFolder, name)).isFile(),
    );
    const sizes = files.map((name) => statSync(join(backupFolder, name)).size);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    // Verification works in the same way on both engines, so PostgreSQL needs fewer trials.
    const trialCount = engine === 'sqlite' ? 80 : 20;
    let detectedCount = 0;
    for (let trialIndex = 0; trialIndex < trialCount; trialIndex++) {
      let offset =
        trialIndex < files.length ? 0 : Math.floor(((trialIndex + Math.random()) / trialCount) * total) % total;
      let fileIndex = trialIndex < files.length ? trialIndex : 0;
      if (trialIndex >= files.length) while (offset >= (sizes[fileIndex] ?? 0)) offset -= sizes[fileIndex++] ?? 0;
      else offset = Math.floor(Math.random() * (sizes[fileIndex] ?? 1));
      const path = join(backupFolder, files[fileIndex] ?? '');
      const bytes = readFileSync(path);
      const damagedBytes = Buffer.from(bytes);
      damagedBytes[offset] = (damagedBytes[offset] ?? 0) ^ (1 << (trialIndex % 8));
      writeFileSync(path, damagedBytes);
      await verifyBackup(server.config, backupFolder).catch(() => {
        detectedCount += 1;
      });
      writeFileSync(path, bytes);
    }
    expect(detectedCount).toBe(trialCount);

    const corruptions: ((copy: string) => void)[] = [
      ...files.map((name) => (copy: string) => truncateSync(join(copy, name), 0)),
      ...files.map((name) => (copy: string) => appendFileSync(join(copy, name), 'x')),
      ...files.map((name) => (copy: string) => rmSync(join(copy, name))),
      (copy) => writeFileSync(join(copy, 'uploads', 'more.jpg'), 'x'),
    ];
    for (const damageFile of corruptions.filter((_, index) => index % 4 === 0 || index === corruptions.length - 1)) {
      const copy = join(folder, 'damaged');
      cpSync(backupFolder, copy, { recursive: true });
      damageFile(copy);
      await expect(verifyBackup(server.config, copy)).rejects.toThrow(/damaged|not a backup/);
      rmSync(copy, { recursive: true });
    }
    await verifyBackup(server.config, backupFolder);
  }, 90_000);

  test('restoring a damaged backup, or one of a newer version, is rejected and changes nothing', async () => {
    const { folder: backup, manifest } = await createBackup(server.config, join(folder, 'refused'));
    const targetConfig = await createEmptyStorage();
    const newerManifest = `${JSON.stringify({ ...manifest, schema: [...manifest.schema, '999-later'] })}\n`;
    const [text, seal] = [manifestName, manifestHashName].map((name) => readFileSync(join(backup, name)));
    writeFileSync(join(backup, manifestName), newerManifest);
    writeFileSync(join(backup, manifestHashName), createManifestHash(newerManifest));
    await expect(restoreBackup(targetConfig, backup)).rejects.toThrow(/do not have the same schema/);
    writeFileSync(join(backup, manifestName), text ?? '');
    writeFileSync(join(backup, manifestHashName), seal ?? '');
    const photo = Object.keys(manifest.files).find((name) => name.startsWith('uploads/')) ?? '';
    writeFileSync(join(backup, photo), 'x');
    expect(await program('restore', [backup], targetConfig)).toMatchObject({
      code: 1,
      output: expect.stringContaining(photo),
    });
    expect(readdirSync(targetConfig.dataDir)).toEqual([]);
  });

  test('a restore over existing data is rejected without --force; with --force it first backs up that data', async () => {
    const { folder: backup } = await createBackup(server.config, join(folder, 'forced'));
    const targetConfig = await createEmptyStorage();
    await restoreBackup(targetConfig, backup);
    await expect(restoreBackup(targetConfig, backup)).rejects.toThrow('There is existing data');
    const db = await connect(targetConfig);
    await db.updateTable('users').set({ parks: '["Lido Beach"]' }).where(everyRow).execute();
    await db.destroy();
    const { before } = await restoreBackup(targetConfig, backup, { force: true });
    const { users } = await readContents(targetConfig);
    expect(users.every(({ parks, deleted_at }) => parks === 'null' || deleted_at)).toBe(true);
    const other = await createEmptyStorage();
    await restoreBackup(other, before ?? '');
    expect((await readContents(other)).users.every(({ parks }) => parks === '["Lido Beach"]')).toBe(true);
  });

  test('a restore is rejected while a server is running', async () => {
    const { folder: backup } = await createBackup(server.config, join(folder, 'running'));
    await expect(restoreBackup(server.config, backup, { force: true })).rejects.toThrow('Another server or command');
  });

  test('a failed backup leaves no files and names the file that caused the error', async () => {
    const into = join(folder, 'fails');
    const { path } = await server.db.selectFrom('uploads').select('path').limit(1).executeTakeFirstOrThrow();
    const file = join(server.folder, 'uploads', getFilePath(path));
    const bytes = readFileSync(file);
    for (const damageFile of [() => rmSync(file), () => writeFileSync(file, Buffer.alloc(bytes.length))]) {
      damageFile();
      expect(await program('backup', [into], server.config)).toMatchObject({
        code: 1,
        output: expect.stringContaining(path),
      });
      expect(readdirSync(into)).toEqual([]);
      writeFileSync(file, bytes);
    }
  });

  test('a backup that was killed before its final rename is not listed', async () => {
    const { folder: backupFolder } = await createBackup(server.config, join(folder, 'unnamed'));
    const partialFolder = `${backupFolder}.partial`;
    cpSync(backupFolder, partialFolder, { recursive: true });
    for (const named of [partialFolder, `${partialFolder}/`])
      await expect(verifyBackup(server.config, named)).rejects.toThrow('interrupted before it was complete');
    await verifyBackup(server.config, backupFolder);
  });

  test('purges wait while a backup copies files', async () => {
    const getLaterTime = () => new Date(Date.now() + 4 * 24 * 60 * 60 * 1000);
    const { db, config } = server;
    const { openFileStore } = await import('../files/open-store.ts');
    const files = await openFileStore(config, { isInUse: true });
    await staff(api.uploadImage, {
      file: new Blob([
        new Uint8Array(readFileSync(join(import.meta.dirname, '../../../fixtures/photos/phone-jolla.jpg'))),
      ]),
      fileName: 'a.jpg',
    } as never);
    await withPurgesPaused(db, getLaterTime(), async () => {
      expect(await deleteUnusedUploads({ db, files, clock: getLaterTime })).toMatchObject({ unattached: 0 });
    });
    expect((await deleteUnusedUploads({ db, files, clock: getLaterTime })).unattached).toBeGreaterThan(0);
  });

  test('a full disk during a restore leaves existing data unchanged', async ({ skip }) => {
    const { folder: backup } = await createBackup(server.config, join(folder, 'no-room'));
    const disk = mountSmallDisk(join(folder, 'disk'), '300k');
    if (!disk) return skip('a disk of its own needs root');
    try {
      const targetConfig = { ...(await createEmptyStorage()), dataDir: join(disk.folder, 'data') };
      if (engine === 'postgres') disk.fill();
      mkdirSync(targetConfig.dataDir, { recursive: true });
      await expect(restoreBackup(targetConfig, backup)).rejects.toThrow();
      const leftoverFiles = readdirSync(targetConfig.dataDir, { recursive: true }).filter((name) =>
        /\.(jpg|png|sqlite)$/.test(String(name)),
      );
      expect(leftoverFiles).toEqual([]);
    } finally {
      disk.unmount();
    }
  });

  /** A backup with a changed database and a recalculated manifest hash. */
  async function forgedBackup(name: string, statements: string) {
    const { folder: backup, manifest } = await createBackup(server.config, join(folder, name));
    const file = join(backup, 'database.sqlite');
    const db = new Sqlite(file);
    db.pragma('foreign_keys = off');
    db.exec(statements);
    db.close();
    const files = { ...manifest.files, 'database.sqlite': await describeFile(file) };
    const text = `${JSON.stringify({ ...manifest, files })}\n`;
    writeFileSync(join(backup, manifestName), text);
    writeFileSync(join(backup, manifestHashName), createManifestHash(text));
    return backup;
  }

  test.runIf(engine === 'sqlite')(
    'a changed activity log in a backup is detected by its hash chain, even if all file hashes match',
    async () => {
      const backup = await forgedBackup(
        'forged',
        "drop trigger activity_refuses_update; update activity set actor = 'nobody' where seq = 3",
      );
      await expect(verifyBackup(server.config, backup)).rejects.toThrow('Row 3 of the activity log');
    },
  );

  test.runIf(engine === 'sqlite')(
    'verifying a backup reports a row that refers to a missing one, and closes the database copy',
    async () => {
      const backup = await forgedBackup('stray', "update uploads set uploaded_by = 'nobody' where rowid = 1");
      await expect(verifyBackup(server.config, backup)).rejects.toThrow(/not sound \(\{"table":"uploads"/);
      if (process.platform !== 'linux') return;
      const open = readdirSync('/proc/self/fd').map((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`);
        } catch {
          return ''; // the descriptor was closed in the meantime
        }
      });
      expect(open.filter((file) => file.includes('/database.sqlite'))).toEqual([]);
    },
  );

  // Last, because its many reports would make the other backups slower.
  test('a backup created during writes is a consistent snapshot and restores exactly', async () => {
    const into = join(folder, 'under-writes');
    let isOver = false;
    let reportCount = 0;
    const writesDone = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!isOver) {
          await staff(api.submitAccident, { body: await newReport(staff) });
          reportCount += 1;
        }
      }),
    );
    const backupResult = await program('backup', [into], server.config);
    const { length } = await staff(api.listReports);
    isOver = true;
    await writesDone;
    expect(backupResult).toMatchObject({ code: 0, output: expect.stringContaining('Backed up to') });
    expect(reportCount).toBeGreaterThan(0);
    const backup = join(into, readdirSync(into)[0] ?? '');
    expect(await program('verify-backup', [backup], server.config)).toMatchObject({
      code: 0,
      output: expect.stringContaining('is good'),
    });

    const targetConfig = await createEmptyStorage();
    expect(await program('restore', [backup], targetConfig)).toMatchObject({ code: 0 });
    const [liveContents, restoredContents] = [await readContents(server.config), await readContents(targetConfig)];
    expect(restoredContents.reports.length).toBeGreaterThanOrEqual(5);
    expect(restoredContents.reports.length).toBeLessThanOrEqual(length);
    const reportsInSnapshot = liveContents.reports.filter(({ id }) =>
      restoredContents.reports.some((report) => report.id === id),
    );
    expect(restoredContents.reports).toEqual(reportsInSnapshot);
    expect(restoredContents.users).toEqual(liveContents.users);
    expect(restoredContents.activity).toEqual(liveContents.activity.slice(0, restoredContents.activity.length));
    expect(restoredContents.sessions).toEqual([]);
    for (const { path } of restoredContents.uploads)
      expect(readFileSync(join(targetConfig.dataDir, 'uploads', getFilePath(path)))).toEqual(
        readFileSync(join(server.folder, 'uploads', getFilePath(path))),
      );
  });
});

test('the backup commands explain missing and wrong arguments', async () => {
  const settings = parseConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'none-')) });
  const command = (name: string, ...args: string[]) =>
    runProgram([join(import.meta.dirname, '../cli', `${name}.ts`), ...args], { DATA_DIR: settings.dataDir });
  expect(await command('backup')).toMatchObject({ code: 1, output: expect.stringContaining('Usage: npm run backup') });
  expect(await command('backup', settings.dataDir)).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no database'),
  });
  expect(readdirSync(settings.dataDir)).not.toContain(getSqlitePath(''));
  expect(await command('verify-backup', settings.dataDir)).toMatchObject({
    code: 1,
    output: expect.stringContaining('is not a backup'),
  });
  rmSync(settings.dataDir, { recursive: true });
});
