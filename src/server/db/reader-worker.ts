// A thread with a read-only connection, so that long queries do not block the server's own
// connection.
import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import type { ReaderJob } from './reader.ts';

const { path, cancelled: cancelFlag } = workerData as { path: string; cancelled: Int32Array };
const file = new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 5000 });
let job: ReaderJob | undefined;
let deadlineMs = Infinity;

// Queries call this function for each row that they read, because SQLite offers no other way to
// stop one.
file.function('should_continue', (_row) => {
  if (Atomics.load(cancelFlag, 0) === job?.id) throw new Error('cancelled');
  if (performance.now() > deadlineMs) throw new Error('too long');
  return 1;
});

const prepared = new Map<string, Sqlite.Statement>();

function runQuery({ sql, parameters, limitMs }: ReaderJob): unknown[] {
  deadlineMs = performance.now() + limitMs;
  const statement = prepared.get(sql) ?? file.prepare(sql);
  if (prepared.size < 100) prepared.set(sql, statement);
  return statement.all(...parameters);
}

parentPort?.on('message', (next: ReaderJob | 'close') => {
  if (next === 'close') {
    file.close();
    return parentPort?.close();
  }
  job = next;
  try {
    parentPort?.postMessage({ id: next.id, rows: runQuery(next) });
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    parentPort?.postMessage({ id: next.id, message, code });
  }
});
