// npm run copy-storage: copies from the SQLite database and the folder in DATA_DIR to DATABASE_URL,
// S3_BUCKET or both. Stop the server first.
import { join } from 'node:path';
import { copyFiles, copyRows } from '../backup/copy-storage.ts';
import { sqliteBackup } from '../backup/sqlite.ts';
import { connect } from '../db/connect.ts';
import { isMigrated, migrate } from '../db/migrate.ts';
import { lockDataFolder } from '../files/data-folder.ts';
import { openFileStore } from '../files/open-store.ts';
import { openDiskStore } from '../files/store.ts';
import { print, runCommand } from './command.ts';

await runCommand({
  usage: 'npm run copy-storage',
  argumentCount: 0,
  async run(config) {
    const { dataDir, databaseUrl, bucket } = config;
    if (!databaseUrl && !bucket.bucket) throw new Error('Set DATABASE_URL, S3_BUCKET or both.');
    const unlock = lockDataFolder(dataDir);
    try {
      const hasSqliteDatabase = await sqliteBackup.hasData(config);
      if (databaseUrl && hasSqliteDatabase) {
        const [from, to] = [await connect({ dataDir, databaseUrl: '' }), await connect(config)];
        if (!(await isMigrated(from)))
          throw new Error('The database in DATA_DIR is of another version. Start the server first, which upgrades it.');
        await migrate(to);
        print(`${await copyRows(from, to)} rows are in PostgreSQL, each compared with the original.`);
        await Promise.all([from.destroy(), to.destroy()]);
      }
      if (bucket.bucket) {
        const db = await connect(config);
        const count = await copyFiles(db, await openDiskStore(join(dataDir, 'uploads')), await openFileStore(config));
        print(`${count} files are in the bucket ${bucket.bucket}, each read back and compared.`);
        await db.destroy();
      }
      print(
        'Nothing was deleted. Start the server with the same settings, and keep the old data folder until you have checked the copy.',
      );
    } finally {
      unlock();
    }
  },
});
