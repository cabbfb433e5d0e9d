import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api.ts';
import { verifyLog } from '../activity/verify.ts';
import type { Config } from '../config.ts';
import { connect } from '../db/connect.ts';
import { start } from '../start.ts';
import { newReport } from '../testing/factories.ts';
import { createTestFolder } from '../testing/folder.ts';
import { runProgram } from '../testing/process.ts';
import { insertRow } from '../testing/rows.ts';
import { engines, signInAt } from '../testing/server.ts';
import { createStorage } from '../testing/storage.ts';
import { createTestServer } from '../testing/test-server.ts';
import { openArchive } from './archive.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore.ts';
import { createBackupName, listBackups } from './retention.ts';

const rounds = { sqlite: 4, postgres: 2 };

describe.each(engines)('killed backups and restores on %s', (engine) => {
  const folder = createTestFolder();

  const { server, admin } = createTestServer(engine);
  beforeAll(async () => {
    for (let count = 0; count < 2; count++) await admin(api.submitAccident, { body: await newReport(admin) });
  });

  /**
   * Runs a command and returns how long it worked. `kill` is when it is killed: milliseconds after
   * it began to work, or a folder or function to wait for: until the folder changes, or the promise
   * resolves.
   */
  async function run(config: Config, [name, ...rest]: string[], kill?: number | string | (() => Promise<void>)) {
    let startedAt = 0;
    let end = () => {};
    const folderWatcher = watch(config.dataDir, (_, entry) => {
      if (startedAt || !entry?.startsWith('.backup-')) return;
      startedAt = performance.now();
      if (typeof kill === 'number') setTimeout(() => end(), kill);
    });
    const watcher = typeof kill === 'string' ? watch(kill, () => end()) : undefined;
    const result = await runProgram(
      [join(import.meta.dirname, `../cli/${name}.ts`), ...rest],
      { DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl },
      (child) => {
        end = () => child.kill('SIGKILL');
        if (typeof kill === 'function') void kill().then(end);
      },
    );
    folderWatcher.close();
    watcher?.close();
    if (kill === undefined) expect(result).toMatchObject({ code: 0 });
    return performance.now() - startedAt;
  }

  const listWorkspaces = (dataDir: string) => readdirSync(dataDir).filter((name) => name.startsWith('.backup-'));

  /** Expects every folder with a backup's name to be complete. */
  async function checkBackups(into: string) {
    for (const name of await listBackups(into)) await (await openArchive(server.config, join(into, name))).check();
  }

  async function readContents(config: Config) {
    const db = await connect(config);
    try {
      expect((await verifyLog(db)).badRow).toBeUndefined();
      const users = await db.selectFrom('users').selectAll().orderBy('id').execute();
      return { users, reports: await db.selectFrom('reports').selectAll().orderBy('id').execute() };
    } finally {
      await db.destroy();
    }
  }

  test('a killed backup leaves nothing that looks complete, and the next one cleans up', async () => {
    const into = join(folder, 'backups');
    const before = await readContents(server.config);
    const { folder: backupFolder } = await createBackup(server.config, join(folder, 'whole'));
    mkdirSync(into);
    const nightlyNames = Array.from({ length: 12 }, (_, index) =>
      createBackupName(new Date(Date.UTC(2020, 2, 10 + index))),
    );
    for (const nightName of nightlyNames) cpSync(backupFolder, join(into, nightName), { recursive: true });
    const durationMs = await run(server.config, ['backup', join(folder, 'timed')]);
    for (let round = 0; round < rounds[engine]; round++) {
      const oldestName = (await listBackups(into))[0] ?? '';
      // In every other round the command is killed while it deletes an old backup.
      const kill = round % 2 ? join(into, oldestName) : durationMs * Math.random();
      await run(server.config, ['backup', into, '--keep'], kill);
      await checkBackups(into);
    }
    await createBackup(server.config, into);
    expect(readdirSync(into).filter((name) => name.endsWith('.partial'))).toEqual([]);
    expect(listWorkspaces(server.folder)).toEqual([]);
    expect(await readContents(server.config)).toEqual(before);
  });

  test('a killed restore has replaced everything or nothing, can be repeated, and the server starts', async () => {
    // More data than a pipe holds, so that restoring takes a while.
    const longReply = {
      user_id: admin.id,
      route: '',
      key: '',
      fingerprint: '',
      status: 200,
      body: 'x'.repeat(2 ** 21),
    };
    await insertRow(server.db, 'replies', longReply);
    const { folder: first } = await createBackup(server.config, join(folder, 'first'));
    const states = [await readContents(server.config)];
    await admin(api.submitAccident, { body: await newReport(admin) });
    const { folder: second } = await createBackup(server.config, join(folder, 'second'));
    states.push(await readContents(server.config));
    const targetConfig = { ...server.config, ...(await createStorage(engine)) };
    const { databaseUrl } = targetConfig;

    const backupStart = performance.now();
    await restoreBackup(targetConfig, first);
    const durationMs = performance.now() - backupStart;
    const verificationDatabaseNames: string[] = [];
    for (let round = 0; round < rounds[engine]; round++) {
      const waitForRestore = databaseUrl && round % 2 && (() => waitForPsqlSession(databaseUrl));
      await run(
        targetConfig,
        ['restore', round % 2 ? first : second, '--force'],
        waitForRestore || durationMs * Math.random(),
      );
      for (const name of listWorkspaces(targetConfig.dataDir)) {
        const notes = join(targetConfig.dataDir, name, 'unfinished');
        if (existsSync(notes))
          verificationDatabaseNames.push(...(readFileSync(notes, 'utf8').match(/verify_\w+/g) ?? []));
      }
      expect(states).toContainEqual(await readContents(targetConfig));
    }
    await restoreBackup(targetConfig, second, { force: true });
    expect(await readContents(targetConfig)).toEqual(states[1]);
    expect(listWorkspaces(targetConfig.dataDir)).toEqual([]);
    await checkBackups(join(targetConfig.dataDir, 'before-restore'));
    if (databaseUrl) expect(await listExistingDatabases(databaseUrl, verificationDatabaseNames)).toEqual([]);

    const restoredServer = await start(targetConfig);
    const { port } = restoredServer.server.server.address() as { port: number };
    const restoredAdmin = await signInAt(`http://127.0.0.1:${port}`, admin.username);
    expect(await restoredAdmin(api.listReports)).toHaveLength(3);
    await restoredServer.stop();
  });
});

async function listExistingDatabases(url: string, names: string[]) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('select datname from pg_database where datname = any ($1)', [names]);
  await client.end();
  return rows;
}

/** Resolves when psql has connected to the database. */
async function waitForPsqlSession(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const sessionQuery =
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'psql'";
  while ((await client.query(sessionQuery)).rowCount === 0);
  await client.end();
}
