// Runs searches on PostgreSQL one at a time and without parallel workers, so that other CPU cores
// stay free for lists and writes. On SQLite the reader's thread has the same effect.
import { sql } from 'kysely';
import { HttpError } from '../errors/http-error.ts';
import type { Database } from './schema.ts';

const maxWaiting = 50;
const longestMs = 15_000;

type SearchQueue = { waiting: number; last: Promise<unknown> };
const queues = new WeakMap<Database, SearchQueue>();

/**
 * Runs a search when it is its turn. Rejects with 503 if too many searches wait or this one takes too
 * long. Does not run it if `signal` has aborted.
 */
export async function searchInTurn<T>(db: Database, signal: AbortSignal, work: (db: Database) => Promise<T>) {
  const turns = queues.get(db) ?? { waiting: 0, last: Promise.resolve() };
  queues.set(db, turns);
  if (turns.waiting >= maxWaiting)
    throw new HttpError(503, 'Many people are searching. Please try again in a moment.', { retryAfter: 2 });
  turns.waiting += 1;
  const searchDone = turns.last.then(() => {
    turns.waiting -= 1;
    signal.throwIfAborted();
    return runSearch(db, work);
  });
  turns.last = searchDone.catch(() => undefined);
  return searchDone;
}

/**
 * The settings apply to this transaction only, because other queries use the same connection
 * afterwards.
 */
async function runSearch<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  try {
    return await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (db) => {
        await sql`select set_config('max_parallel_workers_per_gather', '0', true),
          set_config('statement_timeout', ${String(longestMs)}, true)`.execute(db);
        return work(db);
      });
  } catch (error) {
    if ((error as { code?: unknown }).code !== queryCancelledCode) throw error;
    throw new HttpError(503, 'This search takes too long. Please add a word.', { retryAfter: 5 });
  }
}

const queryCancelledCode = '57014';
