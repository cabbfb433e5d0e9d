// Databases for tests. Migrating takes longer than the rest of a test server's start, so one
// database is migrated and then copied.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { connect, getSqlitePath } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';

const postgresUrl = process.env.TEST_DATABASE_URL;

/**
 * Creates a PostgreSQL database: empty, or migrated if the run has one to copy (see
 * `template-database.ts`).
 */
export async function createDatabase({ isMigrated = false } = {}) {
  const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const template = isMigrated ? process.env.TEST_DATABASE_TEMPLATE : undefined;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: postgresUrl });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  // Copying the files takes two thirds of the processor time of writing all of it to the log, and so does deleting them.
  await run(`create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`);
  const url = new URL(postgresUrl ?? '');
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => run(`drop database ${name} with (force)`) };
}

let migratedFile: Promise<Buffer> | undefined;

/** Puts a migrated SQLite database into a data folder. */
export async function copyMigratedFile(dataDir: string): Promise<void> {
  migratedFile ??= createMigratedFile();
  await writeFile(getSqlitePath(dataDir), await migratedFile);
}

async function createMigratedFile(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'migrated-'));
  try {
    const db = await connect({ databaseUrl: '', dataDir: folder });
    await migrate(db);
    await db.destroy();
    return await readFile(getSqlitePath(folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
