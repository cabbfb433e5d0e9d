import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { connect, getSqlitePath } from '../db/connect.ts';
import type { Database, Tables } from '../db/schema.ts';
import { hasTable, tablesEmptyInBackups } from '../db/tables.ts';
import { sync } from '../files/sync.ts';
import { fileExists } from './archive.ts';
import type { BackupEngine } from './engine.ts';

export const sqliteBackup: BackupEngine = {
  name: 'sqlite',
  fileName: 'database.sqlite',

  async dump({ dataDir }, file, read) {
    const source = new Sqlite(getSqlitePath(dataDir), { readonly: true, fileMustExist: true, timeout: 10_000 });
    try {
      // Copy all pages in one step. A copy in several steps starts again at each write, so it would
      // never end on a busy server.
      await source.backup(file, { progress: () => 2 ** 30 });
    } finally {
      source.close();
    }
    const facts = await withDatabaseFile(new Sqlite(file), async (copy, db) => {
      copy.pragma('journal_mode = delete');
      copy.pragma('secure_delete = on');
      // A database of an earlier version may not have all of them.
      for (const name of tablesEmptyInBackups) if (await hasTable(db, name)) copy.exec(`delete from ${name}`);
      return read(db);
    });
    await sync(file);
    return facts;
  },

  async inspect(_, file, __, read) {
    return withDatabaseFile(new Sqlite(file, { readonly: true }), (copy, db) => {
      const checkResults = copy.pragma('integrity_check') as { integrity_check: string }[];
      const brokenReferences = copy.pragma('foreign_key_check') as object[];
      const problem = [...checkResults.filter((line) => line.integrity_check !== 'ok'), ...brokenReferences][0];
      if (problem) throw new Error(`The backup is damaged: its database is not sound (${JSON.stringify(problem)}).`);
      return read(db);
    });
  },

  hasData: ({ dataDir }) => fileExists(getSqlitePath(dataDir)),

  async replaceDatabase(config, file) {
    const target = getSqlitePath(config.dataDir);
    await sync(file);
    // Closing the last connection deletes the write-ahead log, which must not remain beside the new
    // file.
    if (await this.hasData(config)) await (await connect(config)).destroy();
    await rm(`${target}-wal`, { force: true });
    await rm(`${target}-shm`, { force: true });
    await rename(file, target);
    await sync(dirname(target));
  },
};

/** Runs `work` with an open database file and its Kysely instance, then closes the file. */
async function withDatabaseFile<T>(
  copy: Sqlite.Database,
  work: (copy: Sqlite.Database, db: Database) => Promise<T>,
): Promise<T> {
  try {
    return await work(copy, new Kysely<Tables>({ dialect: new SqliteDialect({ database: copy }) }));
  } finally {
    copy.close();
  }
}
