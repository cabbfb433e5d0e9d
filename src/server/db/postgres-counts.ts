// Runs counts of a search on PostgreSQL one at a time, each in one process, so that they leave the
// other cores to lists and writes. On SQLite the reader's thread does the same.
import { sql } from 'kysely';
import { HttpError } from '../errors/http-error.ts';
import type { Database } from './schema.ts';

const maxWaitingCounts = 50;
const longestMs = 15_000;

type CountQueue = { waiting: number; last: Promise<unknown> };
const queues = new WeakMap<Database, CountQueue>();

/** Rejects with 503 if too many counts wait or one takes too long, and does not run it after `signal`. */
export async function countInTurn<T>(db: Database, signal: AbortSignal, work: (db: Database) => Promise<T>) {
  const turns = queues.get(db) ?? { waiting: 0, last: Promise.resolve() };
  queues.set(db, turns);
  if (turns.waiting >= maxWaitingCounts)
    throw new HttpError(503, 'Many people are searching. Please try again in a moment.', { retryAfter: 2 });
  turns.waiting += 1;
  const countDone = turns.last.then(() => {
    turns.waiting -= 1;
    signal.throwIfAborted();
    return count(db, work);
  });
  turns.last = countDone.catch(() => undefined);
  return countDone;
}

/** The settings end with the transaction, because others use its connection next. */
async function count<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
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
