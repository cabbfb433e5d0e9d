// Opens the server's database for a command, while the server runs or not. Never creates a new one.
import { existsSync } from 'node:fs';
import type { Config } from '../config.ts';
import { connect, getSqlitePath } from '../db/connect.ts';
import { isMigrated } from '../db/migrate.ts';
import type { Database } from '../db/schema.ts';

/**
 * Runs the work on the configured database and closes it. Throws if there is none, or one of
 * another version.
 */
export async function withDatabase(config: Config, work: (db: Database) => Promise<void>): Promise<void> {
  if (!config.databaseUrl && !existsSync(getSqlitePath(config.dataDir)))
    throw new Error(`There is no database in ${config.dataDir}. Set DATA_DIR (or DATABASE_URL) as the server has it.`);
  const db = await connect(config);
  try {
    if (!(await isMigrated(db)))
      throw new Error('This database is of another version. Start the server first, which upgrades it.');
    await work(db);
  } finally {
    await db.destroy();
  }
}
