// The operator's commands work on the server's own data, beside it or while it is stopped; they never make a new, empty store.
import { existsSync } from 'node:fs';
import { readConfig } from '../config.ts';
import { connect, sqliteFile } from '../db/connect.ts';
import { isMigrated } from '../db/migrate.ts';
import type { Database } from '../db/schema.ts';

export const say = (text: string) => process.stdout.write(`${text}\n`);

/** Runs a command on the store that the settings name, and closes it. When it throws, its message is shown and the process ends with 1. */
export async function runCommand(work: (db: Database) => Promise<void>): Promise<void> {
  try {
    const config = readConfig();
    if (!config.databaseUrl && !existsSync(sqliteFile(config.dataDir)))
      throw new Error(
        `There is no database in ${config.dataDir}. Set DATA_DIR (or DATABASE_URL) as the server has it.`,
      );
    const db = await connect(config);
    try {
      if (!(await isMigrated(db)))
        throw new Error('This database is not of this version. Start the server on it first.');
      await work(db);
    } finally {
      await db.destroy();
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
