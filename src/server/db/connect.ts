// The one place that knows which engine is behind the queries.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, PostgresAdapter, PostgresDialect, SqliteDialect, sql } from 'kysely';
import type { CustomTypesConfig } from 'pg';
import type { Database, Tables } from './schema.ts';

export type Engine = 'sqlite' | 'postgres';

export const engineOf = (db: Kysely<unknown> | Database): Engine =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';

/** Opens PostgreSQL when there is a URL, else the SQLite file in the data folder. Refuses, with the reason, what could lose a write. */
export async function connect({ databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }): Promise<Database> {
  return databaseUrl ? openPostgres(databaseUrl) : openSqlite(dataDir);
}

async function openPostgres(connectionString: string): Promise<Database> {
  const { default: pg } = await import('pg');
  const types = {
    getTypeParser: (oid: number, format?: 'text') => (oid === 20 ? Number : pg.types.getTypeParser(oid, format)),
  };
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    types: types as CustomTypesConfig,
    connectionTimeoutMillis: 10_000,
  });
  // A connection that breaks while idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined);
  const db: Database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await sql<{ value: string }>`select current_setting(${setting}) as value`.execute(db);
    if (rows[0]?.value === 'off')
      throw new Error(`PostgreSQL has ${setting} off: a crash could lose what was saved. Turn it on.`);
  }
  return db;
}

/** Where SQLite keeps its data. */
export const sqliteFile = (dataDir: string) => join(dataDir, 'park-reports.sqlite');

async function openSqlite(dataDir: string): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = new Sqlite(sqliteFile(dataDir), { timeout: 5000 });
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'journal_size_limit = 67108864',
  ])
    file.pragma(pragma);
  // Read after a write: right after opening, SQLite may report a level that it does not keep.
  file.pragma(`user_version = ${file.pragma('user_version', { simple: true })}`);
  if (file.pragma('synchronous', { simple: true }) !== 2) throw new Error('SQLite does not sync every commit to disk.');
  if (file.pragma('foreign_keys', { simple: true }) !== 1) throw new Error('SQLite does not check foreign keys.');
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: file }) });
}
