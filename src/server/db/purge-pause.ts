// Pauses purges while a backup copies the files that its copy of the database names. The backup
// renews the pause, so that one of a killed backup ends after minutes.
import { HttpError } from '../errors/http-error.ts';
import { lockActivity } from './activity-log.ts';
import { getCounter, setCounter } from './counters.ts';
import type { Database } from './schema.ts';

const counterName = 'purges wait until';
const minute = 60_000;
const pauseMs = 5 * minute;

/**
 * Pauses all purges while `work` runs. When it starts, every earlier purge has committed, and later
 * ones wait.
 */
export async function withPurgesPaused<T>(db: Database, now: Date, work: () => Promise<T>): Promise<T> {
  const pauseUntil = (instantMs: number) =>
    db.transaction().execute(async (db) => {
      await lockActivity(db);
      await setCounter(db, counterName, instantMs);
    });
  const startedAt = performance.now();
  const renew = () => pauseUntil(now.getTime() + Math.round(performance.now() - startedAt) + pauseMs);
  await renew();
  let renewal = Promise.resolve();
  // A failed renewal is tried again a minute later.
  const timer = setInterval(() => (renewal = renew().catch(() => {})), minute);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await renewal;
    await pauseUntil(0);
  }
}

/**
 * Call inside a write transaction: whether purges are paused. Ignores an end too far ahead, set by
 * a wrong clock.
 */
export async function arePurgesPaused(db: Database, now: Date): Promise<boolean> {
  const remainingMs = (await getCounter(db, counterName)) - now.getTime();
  return remainingMs > 0 && remainingMs <= 2 * pauseMs;
}

/**
 * Call inside a write transaction: throws 409 while a backup pauses purges.
 *
 * @param outcome a sentence that says what was not done
 */
export async function assertNoBackup(db: Database, now: Date, outcome = ''): Promise<void> {
  if (!(await arePurgesPaused(db, now))) return;
  const sentences = ['A backup is being created.', outcome, 'Try again in a few minutes.'];
  throw new HttpError(409, sentences.filter(Boolean).join(' '));
}
