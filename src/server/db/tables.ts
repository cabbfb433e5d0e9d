import { type Kysely, sql } from 'kysely';
import { getEngine } from './connect.ts';
import type { Database } from './schema.ts';

/**
 * Runs a migration's statements, which are separated by `;` at line ends and use the types text,
 * integer, bigint and real. Creates strict tables on SQLite, and text columns on PostgreSQL that
 * compare bytes, as SQLite does.
 */
export async function runDdl(db: Kysely<unknown>, statements: string): Promise<void> {
  const isPostgres = getEngine(db) === 'postgres';
  for (const statement of statements.split(/;\s*\n/).filter((part) => part.trim())) {
    const dialect = isPostgres
      ? statement.replace(/\btext\b/g, 'text collate "C"')
      : statement.replace(/\bbigint\b/g, 'integer').replace(/^(\s*create table [\s\S]*\))\s*$/, '$1 strict');
    await sql.raw(dialect).execute(db);
  }
}

/** Returns the `up` function of a migration that does nothing but run these statements; see `runDdl`. */
export const createDdlMigration = (statements: string) => (db: Kysely<unknown>) => runDdl(db, statements);

/** Tables that are empty in backups: someone could sign in with what is in them, or it must be gone after a day. */
export const tablesEmptyInBackups = ['sessions', 'one_use_tokens', 'guest_counters'];

/**
 * Tables whose rows are not backed up or copied. Sessions and their data are left out, so all users
 * must sign in again after a restore or copy. `report_months` is counted again from the reports.
 */
const excludedTables = [
  ...tablesEmptyInBackups,
  'push_subscriptions',
  'email_changes',
  'report_months',
  'kysely_migration',
  'kysely_migration_lock',
];

/** Whether the database has the table; a database of an older version may lack it. */
export const hasTable = async (db: Database, name: string): Promise<boolean> =>
  (await db.introspection.getTables()).some((table) => table.name === name);

/** Returns the tables for backups and copies. Search indexes are rebuilt from them. */
export async function listBackedUpTables(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables();
  const names = tables.filter(({ isView }) => !isView).map(({ name }) => name);
  return names.filter((name) => !excludedTables.includes(name) && !/_search/.test(name));
}
