import { type Kysely, sql } from 'kysely';
import { engineOf } from './connect.ts';

/**
 * Runs the statements of a migration, separated by `;` at a line's end, in the words that both engines share: text, integer, bigint, real.
 * SQLite gets strict tables; PostgreSQL compares text byte by byte, as SQLite does.
 */
export async function define(db: Kysely<unknown>, statements: string): Promise<void> {
  const isPostgres = engineOf(db) === 'postgres';
  for (const statement of statements.split(/;\s*\n/).filter((part) => part.trim())) {
    const dialect = isPostgres
      ? statement.replace(/\btext\b/g, 'text collate "C"')
      : statement.replace(/\bbigint\b/g, 'integer').replace(/^(\s*create table [\s\S]*\))\s*$/, '$1 strict');
    await sql.raw(dialect).execute(db);
  }
}
