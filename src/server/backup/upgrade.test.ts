import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { createClock } from '../clock.ts';
import { type Config, parseConfig } from '../config.ts';
import { connect } from '../db/connect.ts';
import { type Migrations, migrations } from '../db/migrate.ts';
import { runDdl } from '../db/tables.ts';
import { start } from '../start.ts';
import { newReport } from '../testing/factories.ts';
import { engines, password, signInAt } from '../testing/server.ts';
import { testSettings } from '../testing/settings.ts';
import { createStorage } from '../testing/storage.ts';
import { openArchive } from './archive.ts';
import { restoreBackup } from './restore.ts';
import { upgrade } from './upgrade.ts';

/** Returns this program's migrations, and one more for each given name, which adds a table. */
const later = (...names: string[]): Migrations => ({
  ...migrations,
  ...Object.fromEntries(
    names.map((name) => [
      name,
      { up: (db) => runDdl(db, `create table of_${name.slice(0, 3)} (user_id text references users (id));\n`) },
    ]),
  ),
});

const failing = (name: string): Migrations => ({
  ...migrations,
  [name]: {
    async up(db) {
      await runDdl(db, 'create table half_made (id text primary key);\n');
      await sql`update users set parks = '["Lido Beach"]'`.execute(db);
      throw new Error('no such column');
    },
  },
});

describe.each(engines)('a newer version with older data on %s', (engine) => {
  let config: Config;
  let days = 0;

  beforeEach(async () => {
    const { dataDir, databaseUrl } = await createStorage(engine);
    const settings = { ...testSettings, DATA_DIR: dataDir, DATABASE_URL: databaseUrl, ADMIN_PASSWORD: password };
    config = parseConfig(settings);
    await withServer(migrations, async (url) => {
      const admin = await signInAt(url, 'admin');
      await admin(api.submitAccident, { body: await newReport(admin) });
    });
  });

  /** Each start is one day after the previous one. */
  async function withServer(
    knownMigrations: Migrations,
    work: (url: string) => Promise<void> = async () => {},
    settings = config,
  ) {
    days += 1;
    const clock = createClock(() => Date.now() + days * 24 * 60 * 60 * 1000);
    const { server, stop } = await start(settings, { migrations: knownMigrations, clock });
    const { port } = server.server.address() as { port: number };
    await work(`http://127.0.0.1:${port}`).finally(stop);
  }

  const countReports = async (url: string) => (await (await signInAt(url, 'admin'))(api.listReports)).length;
  const backups = () =>
    readdirSync(config.dataDir)
      .filter((name) => name === 'before-upgrade')
      .flatMap(getBackupFile);
  const getBackupFile = (name: string) =>
    readdirSync(join(config.dataDir, name)).map((backup) => join(config.dataDir, name, backup));

  async function contents() {
    const db = await connect(config);
    try {
      const tables = (await db.introspection.getTables()).map(({ name }) => name).sort();
      const users = await db.selectFrom('users').selectAll().execute();
      return { tables, users, reports: await db.selectFrom('reports').selectAll().execute() };
    } finally {
      await db.destroy();
    }
  }

  test('a newer version first creates one backup, from which the older version can be restored', async () => {
    expect(backups()).toEqual([]);
    const before = await contents();
    await withServer(later('902-more'), async (url) => expect(await countReports(url)).toBe(1));
    expect((await contents()).tables).toContain('of_902');
    await withServer(later('902-more'));
    const [backup = '', ...otherBackups] = backups();
    expect(otherBackups).toEqual([]);
    const { files } = (await openArchive(config, backup)).manifest;
    const photo = Object.keys(files).find((name) => name.startsWith('uploads/')) ?? '';
    expect(statSync(join(backup, photo)).nlink).toBe(2);

    await restoreBackup(config, backup, { force: true });
    expect((await contents()).tables).toEqual(before.tables);
    expect((await contents()).reports).toEqual(before.reports);
    await withServer(migrations, async (url) => expect(await countReports(url)).toBe(1));
    await withServer(later('902-more'));
  });

  test.runIf(engine === 'postgres')('instances of a newer version that start together create one backup', async () => {
    const instances = [await connect(config), await connect(config)];
    const now = new Date();
    const folders = await Promise.all(instances.map((db) => upgrade(config, db, now, later('902-more'))));
    await Promise.all(instances.map((db) => db.destroy()));
    expect(folders.filter(Boolean)).toEqual(backups());
    expect((await contents()).tables).toContain('of_902');
  });

  test('a newer version reports a failed migration and changes nothing', async () => {
    const before = await contents();
    await expect(withServer(failing('902-fails'))).rejects.toThrow(
      /^The migration 902-fails failed and has changed nothing: no such column\nThe backup from before the upgrade is .+before-upgrade/,
    );
    expect(await contents()).toEqual(before);
    await withServer(migrations, async (url) => expect(await countReports(url)).toBe(1));
  });

  test.runIf(engine === 'sqlite')(
    'a newer version does not start if its backup fails, and names the setting that skips the backup',
    async () => {
      const before = await contents();
      writeFileSync(join(config.dataDir, 'before-upgrade'), 'in the way');
      await expect(withServer(later('902-more'))).rejects.toThrow(
        /no backup could be created[\s\S]*BACKUP_BEFORE_UPGRADE=0/,
      );
      expect(await contents()).toEqual(before);
      const withoutBackup = { ...config, backup: { ...config.backup, isCreatedBeforeUpgrade: false } };
      await withServer(later('902-more'), async (url) => expect(await countReports(url)).toBe(1), withoutBackup);
    },
  );

  test.runIf(engine === 'sqlite')(
    'a newer version keeps the backups of the last three versions after repeated failed starts',
    async () => {
      const names: string[] = [];
      const listMigrationCounts = async () =>
        Promise.all(backups().map(async (backup) => (await openArchive(config, backup)).manifest.schema.length));
      for (const name of ['902-a', '903-b', '904-c', '905-d'])
        await withServer(later(...names, name)).then(() => names.push(name));
      const migrationCount = Object.keys(migrations).length;
      expect(await listMigrationCounts()).toEqual([migrationCount + 1, migrationCount + 2, migrationCount + 3]);
      const next = { ...later(...names), ...failing('906-fails') };
      for (let count = 0; count < 3; count++) await expect(withServer(next)).rejects.toThrow('906-fails failed');
      expect(await listMigrationCounts()).toEqual([migrationCount + 2, migrationCount + 3, migrationCount + 4]);
    },
  );
});
