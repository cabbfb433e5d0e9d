// A database of the first release: its only migration, and rows and files that it wrote
// (fixtures/first-release.json). Every later migration is tested on it.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { connect } from '../db/connect.ts';
import { everyRow } from '../db/every-row.ts';
import { migrate, migrations } from '../db/migrate.ts';
import * as initial from '../db/migrations/001-initial.ts';
import type { Database } from '../db/schema.ts';
import { fixture } from './factories.ts';
import { startTestServer } from './server.ts';

type Row = Record<string, string | number | null>;

const { files, ...tables } = JSON.parse(fixture('first-release.json').toString()) as {
  files: Record<string, string>;
} & Record<string, Row[]>;

/** Returns a copy of a table's rows. */
export const firstReleaseRows = (table: string): Row[] => structuredClone(tables[table] ?? []);

/**
 * Returns the id of a user: `carys` and `admin` (Admin), `huw` and `nia` (H&S Manager; nia of
 * Lido Beach), `sian`, `dewi`, `gwen` (staff).
 */
export const firstReleaseUserId = (username: string): string =>
  String(tables.users?.find((user) => user.username === username)?.id);

/** Fills an empty database and data folder with what the first release wrote. */
export async function fillAsFirstRelease(config: Config): Promise<void> {
  const db = await connect(config);
  try {
    await migrate(db, { '001-initial': initial });
    await db.deleteFrom('activity_head').where(everyRow).execute();
    // Tables are in the order of the file, in which parents come before their children.
    for (const [table, rows] of Object.entries(tables))
      for (const row of rows)
        await db
          .insertInto(table as 'users')
          .values(row as never)
          .execute();
  } finally {
    await db.destroy();
  }
  for (const [name, bytes] of Object.entries(files)) {
    const path = join(config.dataDir, 'uploads', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, Buffer.from(bytes, 'base64'));
  }
}

/**
 * Starts this version on data of the first release. Its last entry is from 10 November 2026; the
 * server's clock continues the day after. Every user has the tests' password.
 */
export const startOnFirstRelease = (engine: Parameters<typeof startTestServer>[0], settings = {}) => {
  const startedAt = Date.now();
  const clock = createClock(() => Date.parse('2026-11-11T09:00:00Z') + Date.now() - startedAt);
  return startTestServer(engine, { BACKUP_BEFORE_UPGRADE: '0', ...settings }, clock, undefined, fillAsFirstRelease);
};

/**
 * Starts a server on a database of the first release that had the migrations up to `last`, such as `054`, and was then
 * filled.
 */
export const startUpgradedServer = (
  engine: Parameters<typeof startTestServer>[0],
  last: string,
  fill: (db: Database) => Promise<unknown>,
) =>
  startTestServer(engine, { BACKUP_BEFORE_UPGRADE: '0' }, undefined, undefined, async (config) => {
    await fillAsFirstRelease(config);
    const db = await connect(config);
    await migrate(db, Object.fromEntries(Object.entries(migrations).filter(([name]) => name.slice(0, 3) <= last)));
    await fill(db);
    await db.destroy();
  });
