// A newer program on older data: what is there is backed up beside it, and only then brought up to date.
import type { Config } from '../config.ts';
import { assertNotNewer, isMigrated, listAppliedMigrations, type Migrations, migrate } from '../db/migrate.ts';
import type { Database } from '../db/schema.ts';

/**
 * Brings the database up to this program. Where it has data of an older one, a backup goes to the data folder first;
 * refuses when that cannot be taken, unless the settings do without. Gives the backup's folder, when one was taken.
 */
export async function upgrade(
  config: Config,
  db: Database,
  now: Date,
  known?: Migrations,
): Promise<string | undefined> {
  const applied = await listAppliedMigrations(db);
  assertNotNewer(applied, known);
  const isBehind = applied.length > 0 && !(await isMigrated(db, known));
  if (!isBehind || !config.backup.isBeforeUpgrade) {
    await migrate(db, known);
    return undefined;
  }
  const { backUpBeforeUpgrade } = await import('./before-upgrade.ts');
  const folder = await backUpBeforeUpgrade(config, now);
  await migrate(db, known).catch((cause: Error) => {
    throw new Error(`${cause.message}\nThe backup that was taken before is ${folder}`, { cause });
  });
  return folder;
}
