// While a backup copies files, none may be removed for good: the copy of the database may name it. A backup that dies holds no longer than six hours.
import { lockActivity } from './activity-log.ts';
import { getCounter, setCounter } from './counters.ts';
import type { Database } from './schema.ts';

const counterName = 'purges wait until';
const maxPauseMs = 6 * 60 * 60 * 1000;

/** Holds all purges until the work is over. When it begins, every purge has either committed or will wait. */
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

/** Inside a transaction that has the turn to write (`change`, `lockActivity`): whether what it would remove must stay. */
export const arePurgesPaused = async (db: Database, now: Date) => (await getCounter(db, counterName)) > now.getTime();
