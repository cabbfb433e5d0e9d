// Runs searches so that they delay no other request: in the reader's thread on SQLite, and one at a
// time on PostgreSQL, which has its own processes.
import { getSearchWords } from '#shared/text.ts';
import { HttpError } from '../errors/http-error.ts';
import { searchInTurn } from './postgres-searches.ts';
import { createReaderDatabase, QueryTimeoutError, type Reader } from './reader.ts';
import type { Database } from './schema.ts';
import { isShortWord } from './search.ts';

/**
 * The time limit of a search for only one or two letters, which the index cannot find: such a
 * search compares every row.
 */
const shortSearchMs = 200;

const isShort = (words: string[]) => words.length > 0 && words.every(isShortWord);

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
 * server's own connection if the query has neither words nor filters. Rejects a search that takes
 * too long. If the signal aborts, a search that waits does not begin; on SQLite one that runs stops.
 */
export function createSearchRunner(db: Database, reader: Reader | undefined, getSignal: () => AbortSignal): RunSearch {
  return async (q, work, { isFiltered = false } = {}) => {
    const words = getSearchWords(q ?? '');
    if (words.length === 0 && !isFiltered) return work(db);
    const signal = getSignal();
    const options = isShort(words) ? { signal, limitMs: shortSearchMs } : { signal };
    try {
      return await (reader ? work(createReaderDatabase(reader, options)) : searchInTurn(db, options, work));
    } catch (error) {
      // The client has closed the connection, so nobody receives this error and it is not logged as
      // a failure.
      if (signal.aborted) throw new HttpError(503, 'The request has ended');
      if (!(error instanceof QueryTimeoutError)) throw error;
      if (isShort(words)) throw new HttpError(400, 'Enter at least three letters or a park', { code: 'SHORT_SEARCH' });
      throw new HttpError(422, 'This search takes too long. Please add a word.');
    }
  };
}
