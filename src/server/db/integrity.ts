// Whether a SQLite database is sound is looked at in every start: before it serves, or beside its work where that would take seconds and
// the last stop was an orderly one.
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What the server knows of it. */
export type Integrity = { problem?: string };

/** Up to here it is a matter of half a second. */
const largeBytes = 64 * 1024 * 1024;

/** To be asked before the database is opened: in an orderly stop SQLite removes its write-ahead log. */
export const mayCheckLater = (path: string): boolean =>
  existsSync(path) && !existsSync(`${path}-wal`) && statSync(path).size > largeBytes;

export type IntegrityCheck = {
  /** What is wrong, or nothing; nothing also if the check was ended. */
  problem: Promise<string | undefined>;
  /** Ends it. Before the database is closed, so that the stop is an orderly one. */
  end(): Promise<void>;
};

/**
 * Looks through the database in a process of its own: a thread in the middle of it could not be
 * ended, and the server would not stop until it is done.
 */
export function checkBeside(path: string): IntegrityCheck {
  let isEnded = false;
  const running = promisify(execFile)(process.execPath, [join(import.meta.dirname, 'check-integrity.ts'), path]);
  const problem = running.then(
    ({ stdout }) => (stdout === 'ok' ? undefined : stdout),
    (error: Error) => (isEnded ? undefined : error.message),
  );
  return {
    problem,
    async end() {
      isEnded = true;
      running.child.kill('SIGKILL');
      await problem;
    },
  };
}
