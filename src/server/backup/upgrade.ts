// Migrates data of an older version, after backing it up.
import { sql } from 'kysely';
import type { Config } from '../config.ts';
import { getEngine, rewriteFile } from '../db/connect.ts';
import { assertNotNewer, isMigrated, listAppliedMigrations, type Migrations, migrate } from '../db/migrate.ts';
import type { Database } from '../db/schema.ts';

/**
 * Migrates the database. If it has data of an older version, first creates a backup in the data
 * folder; throws if that fails, unless the settings turn it off. Returns the backup's folder, if
 * one was created.
 */
export const upgrade = (
  config: Config,
  db: Database,
  now: Date,
  knownMigrations?: Migrations,
): Promise<string | undefined> =>
  whileOthersWait(db, async () => {
    const appliedMigrations = await listAppliedMigrations(db);
    assertNotNewer(appliedMigrations, knownMigrations);
    const needsMigration = appliedMigrations.length > 0 && !(await isMigrated(db, knownMigrations));
    if (!needsMigration || !config.backup.isCreatedBeforeUpgrade) {
      await migrate(db, knownMigrations);
      if (needsMigration) await rewriteFile(db);
      return undefined;
    }
    const { backUpBeforeUpgrade } = await import('./before-upgrade.ts');
    const folder = await backUpBeforeUpgrade(config, now);
    await migrate(db, knownMigrations).catch((cause: Error) => {
      throw new Error(`${cause.message}\nThe backup from before the upgrade is ${folder}`, { cause });
    });
    await rewriteFile(db);
    return folder;
  });

/**
 * Instances that start together on one PostgreSQL upgrade it one after another, so that none backs
 * up what another is changing.
 */
async function whileOthersWait<T>(db: Database, work: () => Promise<T>): Promise<T> {
  if (getEngine(db) === 'sqlite') return work();
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(4117202612)`.execute(connection);
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock(4117202612)`.execute(connection);
    }
  });
}
