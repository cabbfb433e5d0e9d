// Removes the traces of deleted texts: what they leave in SQLite's search indexes and write-ahead log.
import { checkpoint } from './connect.ts';
import { getCounter, incrementCounter, setCounter } from './counters.ts';
import type { Database } from './schema.ts';
import { mergeSearchIndexes } from './search.ts';

const deletedCounter = 'deletions with traces';
const removedCounter = 'deletions without traces';

/** Call in the transaction that deletes rows or erases names: after a crash, traces are still removed. */
export const markTraces = (db: Database): Promise<number> => incrementCounter(db, deletedCounter);

/**
 * Removes marked traces, or logs a warning if it cannot. Call it after the commit, at the start and
 * each hour, so that it is tried again. In the database's tables, `secure_delete` has overwritten
 * the deleted texts already. Never rejects, because the deletion is done.
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
