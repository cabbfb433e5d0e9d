// Runs searches and counts in another thread (SQLite), one at a time, each with a time limit. Stops
// a query when its request has ended.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import { HttpError } from '../errors/http-error.ts';
import type { Database, Tables } from './schema.ts';
import { SqliteCompiler } from './sqlite.ts';

export type ReaderJob = { id: number; sql: string; parameters: readonly unknown[]; limitMs: number };
type WorkerReply = { id: number; rows?: unknown[]; message?: string; code?: string };
type QueuedJob = { job: ReaderJob; resolve(rows: unknown[]): void; reject(error: Error): void };

type ReaderOptions = { signal?: AbortSignal; limitMs?: number };

export type Reader = {
  run(sql: string, parameters: readonly unknown[], options?: ReaderOptions): Promise<unknown[]>;
  close(): Promise<void>;
};

/** A query exceeded its time limit. */
export class QueryTimeoutError extends Error {}

/** How many searches may wait, on either engine, and how long a query may take. */
export const maxWaiting = 50;
export const longestMs = 15_000;

export const createTooManySearchesError = () =>
  new HttpError(503, 'Many people are searching. Please try again in a moment.', { retryAfter: 2 });

/** Returns a reader. Its thread starts at the first query, and again after a crash. */
export function openReader(path: string): Reader {
  const cancelFlag = new Int32Array(new SharedArrayBuffer(4));
  let worker: Worker | undefined;
  let running: QueuedJob | undefined;
  let waiting: QueuedJob[] = [];
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(new URL('reader-worker.ts', import.meta.url), {
      workerData: { path, cancelled: cancelFlag },
      // A small heap suffices: SQLite itself creates the JSON of large lists, so there is little garbage
      // to collect.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    started.unref();
    started.on('message', (reply: WorkerReply) => finishJob(reply));
    const end = (error: Error) => {
      if (worker !== started) return;
      worker = undefined;
      const lostJob = running;
      running = undefined;
      lostJob?.reject(error);
      next();
    };
    started.on('error', end);
    started.on('exit', () => end(new Error('The reader has ended.')));
    return started;
  }

  function next(): void {
    running = waiting.shift();
    if (!running) return;
    worker ??= start();
    worker.postMessage(running.job);
  }

  function finishJob({ id, rows, message = '', code }: WorkerReply): void {
    // Under `node --watch` a thread also reports the files that it loads; ignore those messages.
    if (id !== running?.job.id) return;
    const finishedJob = running;
    next();
    if (rows) finishedJob?.resolve(rows);
    else
      finishedJob?.reject(
        message === 'too long' ? new QueryTimeoutError(message) : Object.assign(new Error(message), { code }),
      );
  }

  return {
    run(sql, parameters, { signal, limitMs = longestMs } = {}) {
      if (waiting.length >= maxWaiting) throw createTooManySearchesError();
      const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
      lastId = (lastId % 2 ** 30) + 1;
      const queuedJob = { job: { id: lastId, sql, parameters, limitMs }, resolve, reject };
      const cancel = () => {
        if (running === queuedJob) return void Atomics.store(cancelFlag, 0, queuedJob.job.id);
        waiting = waiting.filter((other) => other !== queuedJob);
        reject(new Error('cancelled'));
      };
      waiting.push(queuedJob);
      if (!running) next();
      if (signal?.aborted) cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      return promise.finally(() => signal?.removeEventListener('abort', cancel));
    },
    async close() {
      const endingWorker = worker;
      if (!endingWorker) return;
      waiting = [];
      Atomics.store(cancelFlag, 0, running?.job.id ?? 0);
      const workerExit = once(endingWorker, 'exit');
      // Keep the process alive until the worker has ended; otherwise it could exit before its own
      // shutdown is complete.
      endingWorker.ref();
      endingWorker.postMessage('close');
      await workerExit;
    },
  };
}

class ReaderAdapter extends SqliteAdapter {
  override get supportsMultipleConnections() {
    return true;
  }
}

/** Returns a database whose queries run in the reader's thread. It cannot write. */
export function createReaderDatabase(reader: Reader, options: ReaderOptions): Database {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      return { rows: (await reader.run(sql, parameters, options)) as R[] };
    },
    streamQuery: () => {
      throw new Error('The reader cannot stream rows.');
    },
  };
  const doNothing = async () => {};
  const dialect: Dialect = {
    createDriver: () => ({
      init: doNothing,
      acquireConnection: async () => connection,
      releaseConnection: doNothing,
      beginTransaction: doNothing,
      commitTransaction: doNothing,
      rollbackTransaction: doNothing,
      destroy: doNothing,
    }),
    createAdapter: () => new ReaderAdapter(),
    createQueryCompiler: () => new SqliteCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
  return new Kysely<Tables>({ dialect });
}

/** Returns the reader's connection if there is one, otherwise `db`; for queries that read many rows. */
export const getReader = ({ db, reader }: { db: Database; reader: Reader | undefined }): Database =>
  reader ? createReaderDatabase(reader, {}) : db;

/** Whether this is the reader's connection, whose queries can be stopped. */
export const isReader = (db: Database): boolean => db.getExecutor().adapter instanceof ReaderAdapter;
