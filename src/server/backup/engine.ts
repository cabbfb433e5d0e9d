// The operations that a backup needs from a database, on either engine.
import type { Config } from '../config.ts';
import type { Database } from '../db/schema.ts';

/**
 * A backup or database that is being created or deleted. If the process is killed, the next run
 * deletes it.
 */
export type UnfinishedItem = { backup: string } | { database: string };

/** The context of a backup, a verification or a restore; see temporary-folder.ts. */
export type TemporaryFolder = {
  /** A folder for plaintext files; deleted at the end. */
  folder: string;
  /**
   * Call before creating or deleting the item. If this process is killed, the next run deletes the
   * item.
   */
  recordUnfinished(unfinished: UnfinishedItem): Promise<void>;
};

export type BackupEngine = {
  name: 'sqlite' | 'postgres';
  /** The name of the database file in a backup. */
  fileName: string;
  /** Writes a consistent snapshot without sessions and sign-ins to the file, and reads from that snapshot. */
  dump<T>(config: Config, file: string, read: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Reads the file's content, directly or restored to a temporary database. Throws if it is
   * damaged.
   */
  inspect<T>(
    config: Config,
    file: string,
    temporaryFolder: TemporaryFolder,
    read: (db: Database) => Promise<T>,
  ): Promise<T>;
  hasData(config: Config): Promise<boolean>;
  /**
   * Replaces the database with the file's content, completely or not at all. May move or
   * delete the file.
   */
  replaceDatabase(config: Config, file: string): Promise<void>;
};
