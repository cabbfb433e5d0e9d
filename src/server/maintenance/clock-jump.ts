// A wrong clock must not delete data. Purges go by age, so after a clock jump the hourly cleanup
// deletes nothing until the server has been up for three more days: time to correct the clock.
import { lockActivity } from '../db/activity-log.ts';
import { getCounter, setCounter } from '../db/counters.ts';
import type { Database } from '../db/schema.ts';

const hour = 60 * 60 * 1000;
const maxGapMs = 24 * hour;
const minBackwardStepMs = hour;
const purgeDelayMs = 72 * hour;

const lastRunCounter = 'last cleaning';
const purgeDelayCounter = 'removals wait for';

/**
 * Call once per cleanup. Returns the milliseconds of uptime left before purges may run, or 0. More
 * than a day since the last cleanup, or an hour backwards, is a jump. A server
 * that was stopped for long looks the same.
 */
export async function updatePurgeDelay(db: Database, now: Date): Promise<number> {
  return db.transaction().execute(async (db) => {
    await lockActivity(db); // two instances must not count the same hour twice
    const elapsedMs = now.getTime() - (await getCounter(db, lastRunCounter));
    const isJump = elapsedMs > maxGapMs || elapsedMs < -minBackwardStepMs;
    // Counts uptime instead of comparing dates, because the date may be wrong.
    const uptimeMs = Math.min(Math.max(elapsedMs, 0), hour);
    const remainingMs = isJump ? purgeDelayMs : Math.max(0, (await getCounter(db, purgeDelayCounter)) - uptimeMs);
    await setCounter(db, lastRunCounter, now.getTime());
    await setCounter(db, purgeDelayCounter, remainingMs);
    return remainingMs;
  });
}
