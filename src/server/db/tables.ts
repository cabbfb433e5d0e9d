import { type Kysely, sql } from 'kysely';
import { getEngine } from './connect.ts';
import type { Database } from './schema.ts';

/**
 * Runs the statements of a migration, separated by `;` at a line's end, in the words that both engines share: text, integer, bigint, real.
 * SQLite gets strict tables; PostgreSQL compares text byte by byte, as SQLite does.
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

/** Sessions stay behind: who restores a backup or moves signs in anew. */
const excludedTables = ['sessions', 'kysely_migration', 'kysely_migration_lock'];

/** The tables that go into a backup and along with a move. What is searched in is made anew from them. */
export async function listBackedUpTables(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables();
  const names = tables.filter(({ isView }) => !isView).map(({ name }) => name);
  return names.filter((name) => !excludedTables.includes(name) && !/_search/.test(name));
}
