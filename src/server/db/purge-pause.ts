// Pauses purges while a backup copies the files that its copy of the database names. If the backup
// crashes, the pause ends after six hours.
import { lockActivity } from './activity-log.ts';
import { getCounter, setCounter } from './counters.ts';
import type { Database } from './schema.ts';

const counterName = 'purges wait until';
const maxPauseMs = 6 * 60 * 60 * 1000;

/**
 * Pauses all purges while `work` runs. When it starts, every earlier purge has committed, and later
 * ones wait.
 */
export async function withPurgesPaused<T>(db: Database, now: Date, work: () => Promise<T>): Promise<T> {
  const until = (instant: number) =>
    db.transaction().execute(async (db) => {
      await lockActivity(db);
      await setCounter(db, counterName, instant);
    });
  await until(now.getTime() + maxPauseMs);
  try {
    return await work();
  } finally {
    await until(0);
  }
}

/** Call inside a write transaction: whether purges are paused. No pause lasts longer than six hours. */
export async function arePurgesPaused(db: Database, now: Date): Promise<boolean> {
  const remainingMs = (await getCounter(db, counterName)) - now.getTime();
  return remainingMs > 0 && remainingMs <= maxPauseMs;
}
