// Runs searches on PostgreSQL one at a time and without parallel workers, so that other CPU cores
// stay free for lists and writes. On SQLite the reader's thread has the same effect.
import { sql } from 'kysely';
import { createTooManySearchesError, longestMs, maxWaiting, QueryTimeoutError } from './reader.ts';
import type { Database } from './schema.ts';

type SearchOptions = { signal: AbortSignal; limitMs?: number };

/** How to start each search that has not ended: the first one runs, the others wait. */
const queues = new WeakMap<Database, (() => void)[]>();

/**
 * Runs a search when it is its turn. Rejects with 503 if too many searches wait, and with
 * QueryTimeoutError if one of its queries takes longer than `limitMs`. A search whose signal aborts
 * leaves the queue; one that is running is not stopped.
 */
export async function searchInTurn<T>(
  db: Database,
  { signal, limitMs = longestMs }: SearchOptions,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const queue = queues.get(db) ?? [];
  queues.set(db, queue);
  if (queue.length > maxWaiting) throw createTooManySearchesError();
  const { promise: turn, resolve: start, reject } = Promise.withResolvers<void>();
  const leave = () => reject(new Error('cancelled'));
  queue.push(start);
  if (queue[0] === start) start();
  signal.addEventListener('abort', leave, { once: true });
  try {
    await turn;
    return await runSearch(db, limitMs, work);
  } finally {
    signal.removeEventListener('abort', leave);
    const isFirst = queue[0] === start;
    queue.splice(queue.indexOf(start), 1);
    if (isFirst) queue[0]?.();
  }
}

/**
 * The settings apply to this transaction only, because other queries use the same connection
 * afterwards.
 */
async function runSearch<T>(db: Database, limitMs: number, work: (db: Database) => Promise<T>): Promise<T> {
  try {
    return await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (db) => {
        await sql`select set_config('max_parallel_workers_per_gather', '0', true),
          set_config('statement_timeout', ${String(limitMs)}, true)`.execute(db);
        return work(db);
      });
  } catch (error) {
    throw (error as { code?: unknown }).code === queryCancelledCode ? new QueryTimeoutError() : error;
  }
}

const queryCancelledCode = '57014';
