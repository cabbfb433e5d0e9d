// Runs searches so that they delay no other request: in the reader's thread on SQLite, and one at a
// time on PostgreSQL, which has its own processes.
import { getSearchWords } from '#shared/text.ts';
import { HttpError } from '../errors/http-error.ts';
import { searchInTurn } from './postgres-searches.ts';
import { createReaderDatabase, QueryTimeoutError, type Reader } from './reader.ts';
import type { Database } from './schema.ts';

/**
 * The time limit of a search for only one or two letters, which the index cannot find: such a
 * search compares every row.
 */
const shortSearchMs = 200;

const isShort = (words: string[]) => words.length > 0 && words.every((word) => [...word].length < 3);

type SearchOptions = {
  /** Whether the query has filters, so that it may read many rows even without words. */
  isFiltered?: boolean;
};

export type RunSearch = <T>(
  q: string | undefined,
  work: (db: Database) => Promise<T>,
  options?: SearchOptions,
) => Promise<T>;

/**
 * Returns a function that calls `work` with the database to search in: the reader's, or the
 * server's own connection if the query has neither words nor filters. A search ends when
 * it takes too long. If the signal aborts, it stops on SQLite, and on PostgreSQL does not begin.
 */
export function createSearchRunner(db: Database, reader: Reader | undefined, getSignal: () => AbortSignal): RunSearch {
  return async (q, work, { isFiltered = false } = {}) => {
    const words = getSearchWords(q ?? '');
    if (words.length === 0 && !isFiltered) return work(db);
    const signal = getSignal();
    try {
      if (!reader) return await searchInTurn(db, signal, work);
      return await work(createReaderDatabase(reader, isShort(words) ? { signal, limitMs: shortSearchMs } : { signal }));
    } catch (error) {
      // The client has closed the connection, so nobody receives this error and it is not logged as
      // a failure.
      if (signal.aborted) throw new HttpError(503, 'The request has ended');
      if (!(error instanceof QueryTimeoutError)) throw error;
      if (isShort(words)) throw new HttpError(400, 'Enter at least three letters or a park', { code: 'SHORT_SEARCH' });
      throw new HttpError(503, 'This search takes too long. Please add a word.', { retryAfter: 5 });
    }
  };
}
