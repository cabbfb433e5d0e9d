// Whether a SQLite database is sound is looked at in every start: before it serves, or beside its work where that would take seconds and
// the last stop was an orderly one.
import { existsSync, statSync } from 'node:fs';
import { openReader } from './reader.ts';

/** What the server knows of it. */
export type Integrity = { problem?: string };

/** Up to here it is a matter of half a second. */
const largeBytes = 64 * 1024 * 1024;

/** To be asked before the database is opened: in an orderly stop SQLite removes its write-ahead log. */
export const mayCheckLater = (path: string): boolean =>
  existsSync(path) && !existsSync(`${path}-wal`) && statSync(path).size > largeBytes;

/** Looks through the database in a thread of its own. Resolves with what is wrong, or nothing. */
export async function checkBeside(path: string): Promise<string | undefined> {
  const reader = openReader(path);
  try {
    const [row] = await reader.run('pragma quick_check(1)', [], { limitMs: Infinity });
    const { quick_check } = row as { quick_check: string };
    return quick_check === 'ok' ? undefined : quick_check;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await reader.close();
  }
}
