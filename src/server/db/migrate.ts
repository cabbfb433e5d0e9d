// Migrations, each in its own transaction together with the row that records it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { getEngine } from './connect.ts';
import type { Database } from './schema.ts';

/** Migrations by name, in the order in which they run. */
export type Migrations = Record<string, Pick<Migration, 'up'>>;

const folder = join(import.meta.dirname, 'migrations');
const names = readdirSync(folder)
  .filter((name) => /^\d{3}-[\w-]+\.ts$/.test(name))
  .map((name) => name.slice(0, -'.ts'.length))
  .toSorted();

/** A migration's file is loaded when it runs, because most starts run none. */
export const migrations: Migrations = Object.fromEntries(
  names.map((name) => [name, { up: async (db) => (await import(`./migrations/${name}.ts`)).up(db) }]),
);
assertNumbered(names);

/** Throws if a number is missing or used twice, for example by a file of another version. */
export function assertNumbered(sortedNames: string[]): void {
  for (const [index, name] of sortedNames.entries())
    if (Number(name.slice(0, 3)) !== index + 1)
      throw new Error(`The migrations must be numbered from 001 without gaps, but ${name} is number ${index + 1}.`);
}

/**
 * Runs missing migrations. Throws if a newer version has used the database. A failed migration
 * changes nothing.
 */
export async function migrate(db: Database, knownMigrations = migrations): Promise<void> {
  const applied = await listAppliedMigrations(db);
  assertNotNewer(applied, knownMigrations);
  for (const [name, { up }] of Object.entries(knownMigrations)) {
    if (applied.includes(name)) continue;
    await db
      .transaction()
      .execute(async (db) => {
        // Take a lock, because another instance may be starting on the same PostgreSQL.
        if (getEngine(db) === 'postgres') await sql`select pg_advisory_xact_lock(4117202611)`.execute(db);
        if ((await listAppliedMigrations(db)).includes(name)) return;
        await up(db.withoutPlugins());
        await sql`create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
          db,
        );
        await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
          db,
        );
      })
      .catch((cause: Error) => {
        throw new Error(`The migration ${name} failed and has changed nothing: ${cause.message}`, { cause });
      });
  }
}

/** Throws if the database has a migration that this version does not know. */
export function assertNotNewer(applied: string[], knownMigrations = migrations): void {
  if (applied.some((name) => !(name in knownMigrations)))
    throw new Error(
      'This database was used by a newer version of the program. Start that version, or restore a backup.',
    );
}

/** Whether the database has exactly this version's migrations. */
export const isMigrated = async (db: Database, knownMigrations = migrations): Promise<boolean> =>
  (await listAppliedMigrations(db)).join() === Object.keys(knownMigrations).join();

/** Returns the applied migrations; none if the database is empty. */
export async function listAppliedMigrations(db: Database): Promise<string[]> {
  // Kysely's own list of tables reads every column of each, which takes longer than most
  // migrations. PostgreSQL's `to_regclass` may answer from a cache that was filled before this
  // connection waited for the lock.
  const hasMigrationTable =
    getEngine(db) === 'postgres'
      ? sql`select 1 from pg_tables where tablename = 'kysely_migration' and schemaname = current_schema()`
      : sql`select 1 from sqlite_master where name = 'kysely_migration'`;
  if ((await hasMigrationTable.execute(db)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
