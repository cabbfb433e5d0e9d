// What a backup needs of a database, whichever engine is behind it.
import type { Config } from '../config.ts';
import type { Database } from '../db/schema.ts';

/** A backup or a database that is being created or deleted, and must not outlive the process. */
export type Unfinished = { backup: string } | { database: string };

/** What a backup, a verification or a restore works in; see workspace.ts. */
export type Workspace = {
  /** For plaintext. Deleted when the work is over. */
  folder: string;
  /** To be called before the thing is created. The next run deletes it if this one is killed. */
  recordUnfinished(unfinished: Unfinished): Promise<void>;
};

export type BackupEngine = {
  name: 'sqlite' | 'postgres';
  /** The database's file in a backup. */
  fileName: string;
  /** Writes the database into the file as it is at one moment, without sessions, and reads from what was written (or from that same moment). */
  dump<T>(config: Config, file: string, read: (db: Database) => Promise<T>): Promise<T>;
  /** Reads from what the file holds: as it lies there, or restored to a place that is gone afterwards. Refuses one that is damaged. */
  inspect<T>(config: Config, file: string, workspace: Workspace, read: (db: Database) => Promise<T>): Promise<T>;
  hasData(config: Config): Promise<boolean>;
  /** Puts what the file holds in the place of the database: all of it, or nothing is changed. The file may be gone afterwards. */
  place(config: Config, file: string): Promise<void>;
};
