// Checks a SQLite database for damage at every start: before serving, or in parallel if that would
// take seconds and the last shutdown was clean.
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The error found so far, if any. The check may still be running. */
export type Integrity = { problem?: string };

/** Databases up to this size are checked before serving, which takes at most half a second. */
const maxBytesCheckedAtStart = 64 * 1024 * 1024;

/**
 * Whether the database can be checked while the server already runs: it is large, and the last
 * shutdown was clean, which removes the write-ahead log. Call this before the database is opened.
 */
export const canCheckInParallel = (path: string): boolean =>
  existsSync(path) && !existsSync(`${path}-wal`) && statSync(path).size > maxBytesCheckedAtStart;

type IntegrityCheck = {
  /** Resolves with the error found; undefined if there is none or the check was stopped. */
  problem: Promise<string | undefined>;
  /** Stops the check. Call it before the database is closed, so that the shutdown is clean. */
  end(): Promise<void>;
};

/**
 * Checks the database in a separate process, because a thread could not be stopped in the middle of
 * the check and would delay a shutdown.
 */
export function startParallelCheck(path: string): IntegrityCheck {
  let isStopped = false;
  const checkProcess = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'check-integrity.ts'), path]);
  const problem = checkProcess.then(
    ({ stdout }) => (stdout === 'ok' ? undefined : stdout),
    (error: Error) => (isStopped ? undefined : error.message),
  );
  return {
    problem,
    async end() {
      isStopped = true;
      checkProcess.child.kill('SIGKILL');
      await problem;
    },
  };
}
