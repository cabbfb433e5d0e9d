import { type Migration, Migrator } from 'kysely/migration';
import * as initial from './migrations/001-initial.ts';
import type { Database } from './schema.ts';

const migrations: Record<string, Migration> = { '001-initial': initial };

/** Brings the tables up to this program. Refuses a database that a newer program has used. */
export async function migrate(db: Database): Promise<void> {
  refuseNewer(await appliedMigrations(db));
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest();
  if (error) throw error;
}

/** Refuses the migrations of a database when one of them is not known here. */
export function refuseNewer(applied: string[]): void {
  if (applied.some((name) => !(name in migrations)))
    throw new Error(
      'This database was used by a newer version of the program. Start that version, or restore a backup.',
    );
}

/** Whether the tables are those of this program, no more and no less. */
export async function isMigrated(db: Database): Promise<boolean> {
  const applied = await appliedMigrations(db);
  return applied.join() === Object.keys(migrations).join();
}

async function appliedMigrations(db: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return [];
  const rows = await db
    .selectFrom('kysely_migration' as never)
    .select('name' as never)
    .execute();
  return (rows as { name: string }[]).map((row) => row.name);
}
