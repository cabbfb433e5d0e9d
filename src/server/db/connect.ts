// Opens the database: SQLite, or PostgreSQL if DATABASE_URL is set.
import { close, fdatasync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import type { CustomTypesConfig, PoolClient, QueryConfig, QueryResult } from 'pg';
import { HttpError } from '../errors/http-error.ts';
import { conditionCheck } from './every-row.ts';
import { createGroupSync } from './group-sync.ts';
import type { Database, Tables } from './schema.ts';
import { getSqliteConnection, sqliteDialect } from './sqlite.ts';
import { getStatementName } from './statement-names.ts';

export type Engine = 'sqlite' | 'postgres';

export const getEngine = (db: Kysely<unknown> | Database): Engine =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';

/**
 * Opens PostgreSQL if there is a URL, otherwise the SQLite file. Throws if the configuration could
 * lose writes.
 */
export async function connect({ databaseUrl, dataDir }: { databaseUrl: string; dataDir: string }): Promise<Database> {
  const db = await (databaseUrl ? openPostgres(databaseUrl) : openSqlite(dataDir));
  return db.withPlugin(conditionCheck);
}

/** Opens the database of a running server in another process, which must only read. */
export async function connectReadOnly({
  databaseUrl,
  dataDir,
}: {
  databaseUrl: string;
  dataDir: string;
}): Promise<Database> {
  if (databaseUrl) return openPostgres(databaseUrl);
  const file = new Sqlite(getSqlitePath(dataDir), { readonly: true, fileMustExist: true, timeout: 5000 });
  return new Kysely<Tables>({ dialect: sqliteDialect(file) });
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
  // The pool replaces broken connections, and their queries reject; without listeners the error
  // would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    nameStatements(client);
  });
  const connectPool = pool.connect.bind(pool);
  pool.connect = (() => connectPool().catch(throwUnavailable)) as typeof pool.connect;
  const db: Database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  for (const settingName of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const { rows } = await sql<{ value: string }>`select current_setting(${settingName}) as value`.execute(db);
    if (rows[0]?.value === 'off')
      throw new Error(`PostgreSQL has ${settingName} off: a crash could lose what was saved. Turn it on.`);
  }
  return db;
}

/** Names the queries of prepared.ts, so that the connection parses and plans each once, not at each run. */
function nameStatements(client: PoolClient): void {
  const query = client.query.bind(client) as (query: string | QueryConfig, values?: unknown[]) => Promise<QueryResult>;
  client.query = ((text: string, values?: unknown[]) => {
    const name = getStatementName(text);
    return name ? query({ name, text, ...(values && { values }) }) : query(text, values);
  }) as typeof client.query;
}

/** Throws a 503, because PostgreSQL is restarting or the network is down. */
function throwUnavailable(cause: unknown): never {
  throw createUnavailableError(cause);
}

const createUnavailableError = (cause: unknown) =>
  Object.assign(
    new HttpError(503, 'The database cannot be reached at the moment. Please try again soon.', { retryAfter: 10 }),
    { cause },
  );

const connectionErrorCodes = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Turns a lost database connection into a 503; returns other errors unchanged. */
export function toConnectionError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  // pg sets no error code when a connection ends.
  const isConnectionLost =
    connectionErrorCodes.includes((error as NodeJS.ErrnoException).code ?? '') ||
    /^(?:Connection terminated|Client has encountered a connection error)/.test(error.message);
  return isConnectionLost ? createUnavailableError(error) : error;
}

export const getSqlitePath = (dataDir: string) => join(dataDir, 'park-reports.sqlite');

async function openSqlite(dataDir: string): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const file = new Sqlite(getSqlitePath(dataDir), { timeout: 5000 });
  assertSqliteVersion(String(file.prepare('select sqlite_version()').pluck().get()));
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    'journal_size_limit = 67108864',
    'wal_autocheckpoint = 4000',
    // Overwrite deleted texts with zeros, also in the copies of the file that backups make.
    'secure_delete = ON',
  ])
    file.pragma(pragma);
  assertSynchronous(file, 2);
  if (file.pragma('foreign_keys', { simple: true }) !== 1) throw new Error('SQLite does not check foreign keys.');
  return new Kysely<Tables>({ dialect: sqliteDialect(file) });
}

/**
 * Throws unless SQLite's `synchronous` setting has this level: 2 (FULL) syncs at each commit, 1
 * (NORMAL) around checkpoints. Reads the setting after a write, because SQLite may report a wrong
 * one right after opening. The write is rolled back, because another process may be using the file.
 */
function assertSynchronous(file: Sqlite.Database, level: 1 | 2): void {
  file.exec('begin immediate');
  file.pragma(`user_version = ${file.pragma('user_version', { simple: true })}`);
  file.exec('rollback');
  if (file.pragma('synchronous', { simple: true }) !== level)
    throw new Error('SQLite does not sync its commits to the disk as it must.');
}

/**
 * Lets several commits share one disk sync (docs/decisions/010): SQLite itself then syncs only
 * around checkpoints, and callers that need a commit on disk await `waitUntilDurable`. If a sync
 * fails, `fail` must end the process. Has no effect on PostgreSQL.
 */
export function enableGroupSync(db: Database, fail: (error: Error) => void): void {
  const connection = getSqliteConnection(db);
  if (!connection) return;
  const { file } = connection;
  // An earlier run may have left unsynced commits. Checkpoint them before a response can show them.
  file.pragma('wal_checkpoint(truncate)');
  file.pragma('synchronous = NORMAL');
  assertSynchronous(file, 1);
  // Opened once and closed with the database. Never open the database file itself: closing a second
  // descriptor of it would release SQLite's locks.
  const log = openSync(`${file.name}-wal`, 'r+');
  fsyncSync(log);
  const syncFile = promisify(fdatasync);
  const sync = createGroupSync(() => syncFile(log), fail);
  const end = async () => {
    await sync.close();
    await promisify(close)(log);
  };
  connection.groupSync = { ...sync, close: end };
}

/** Resolves when everything committed so far is on disk. */
export const waitUntilDurable = (db: Database): Promise<void> | undefined =>
  getSqliteConnection(db)?.groupSync?.waitUntilSynced();

/** Older versions can lose a commit when a checkpoint runs at the same time. */
const minSqliteVersion = [3, 51, 3];

export function assertSqliteVersion(version: string): void {
  const parts = version.split('.').map(Number);
  const firstDifference = minSqliteVersion.findIndex((part, index) => part !== (parts[index] ?? 0));
  if (firstDifference >= 0 && (parts[firstDifference] ?? 0) < (minSqliteVersion[firstDifference] ?? 0))
    throw new Error(`SQLite ${version} is too old: it needs ${minSqliteVersion.join('.')} or newer. Run npm ci.`);
}

/** Throws if the SQLite file is damaged. PostgreSQL checks itself. */
export async function assertIntegrity(db: Database): Promise<void> {
  if (getEngine(db) === 'postgres') return;
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
  if (rows[0]?.quick_check !== 'ok') throw createDamageError(`${rows[0]?.quick_check}`);
}

const createDamageError = (reason: string, options?: ErrorOptions) =>
  new Error(`The database is damaged (${reason}). Restore the last backup: docs/operating.md.`, options);

/** Turns an error that SQLite caused for a damaged file into one that says what to do; returns others unchanged. */
export function toDamageError(error: unknown): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof Sqlite.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(cause.code))
      return createDamageError((error as Error).message, { cause: error });
  return error;
}

/**
 * Checkpoints and empties SQLite's write-ahead log. PostgreSQL does this itself. Returns false if a
 * reader still needs the log.
 */
export async function checkpoint(db: Database): Promise<boolean> {
  if (getEngine(db) === 'postgres') return true;
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db);
  return rows[0]?.busy === 0;
}

/**
 * Rewrites the SQLite file without free space, in which older versions left deleted texts. A disk
 * that has no room for it must not stop the server from starting.
 */
export async function rewriteFile(db: Database): Promise<void> {
  if (getEngine(db) === 'sqlite') await sql`vacuum`.execute(db).catch(() => undefined);
}

/** Whether the database responds within two seconds. */
export async function isResponding(db: Database): Promise<boolean> {
  const answer = sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
  return Promise.race([answer, wait(2000, false, { ref: false })]);
}
