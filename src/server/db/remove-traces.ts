// Removes what deleted rows leave in SQLite's search indexes and write-ahead log.
import { checkpoint } from './connect.ts';
import type { Database } from './schema.ts';
import { mergeSearchIndexes } from './search.ts';

/**
 * Call after the commit that deleted rows or erased names. `secure_delete` has overwritten them in
 * the file itself. Never rejects: the deletion is done, and the hourly maintenance does the rest.
 */
export async function removeTraces(db: Database, log: { warn(details: object, message: string): void }): Promise<void> {
  try {
    await mergeSearchIndexes(db, { isWhole: true });
    await checkpoint(db);
  } catch (error) {
    log.warn({ err: error }, 'traces of deleted texts are removed later');
  }
}
