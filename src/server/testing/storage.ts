// An empty installation for a test: a data folder and, on PostgreSQL, a database. Both are deleted after the test.
import { onTestFinished } from 'vitest';
import { connect, type Engine } from '../db/connect.ts';
import { copyMigratedFile, createDatabase } from './databases.ts';
import { createTestFolder } from './folder.ts';

type Storage = { dataDir: string; databaseUrl: string };

/** Creates it, empty or with a migrated database, and returns what the configuration calls it. */
export async function createStorage(engine: Engine, { isMigrated = false } = {}): Promise<Storage> {
  const dataDir = createTestFolder(onTestFinished);
  if (engine === 'sqlite' && isMigrated) await copyMigratedFile(dataDir);
  if (engine === 'sqlite') return { dataDir, databaseUrl: '' };
  const { url, drop } = await createDatabase({ isMigrated });
  onTestFinished(drop);
  return { dataDir, databaseUrl: url };
}

/** Connects to it until the test ends. */
export async function connectTo(storage: Storage) {
  const db = await connect(storage);
  onTestFinished(() => db.destroy());
  return db;
}

/** Connects to a migrated database of its own until the test ends. */
export const openMigratedDatabase = async (engine: Engine) =>
  connectTo(await createStorage(engine, { isMigrated: true }));
