// Removes what deleted rows leave in SQLite's search indexes and write-ahead log.
import { checkpoint } from './connect.ts';
import { getCounter, incrementCounter, setCounter } from './counters.ts';
import type { Database } from './schema.ts';
import { mergeSearchIndexes } from './search.ts';

const deletedCounter = 'deletions with traces';
const removedCounter = 'deletions without traces';

/** Call in the transaction that deletes rows or erases names, so that a crash forgets no traces. */
export const markTraces = (db: Database): Promise<number> => incrementCounter(db, deletedCounter);

/**
 * Call after the commit, at the start and each hour: tries again until it has succeeded.
 * `secure_delete` has overwritten the deleted texts in the file itself. Never rejects, because the
 * deletion is done.
 */
export async function removeTraces(db: Database, log: { warn(details: object, message: string): void }): Promise<void> {
  try {
    const deleted = await getCounter(db, deletedCounter);
    if (deleted === (await getCounter(db, removedCounter))) return;
    await mergeSearchIndexes(db, { isWhole: true });
    if (await checkpoint(db)) await setCounter(db, removedCounter, deleted);
    else log.warn({}, 'traces of deleted texts are removed later, because the database is being read');
  } catch (error) {
    log.warn({ err: error }, 'traces of deleted texts are removed later');
  }
}
