// A wrong clock must not delete data. Purges depend on the age of records, so after a clock jump the
// hourly maintenance deletes no records or files until the server has been up for three more days.
// In this time the clock can be corrected.
import { lockActivity } from '../db/activity-log.ts';
import { getCounter, setCounter } from '../db/counters.ts';
import type { Database } from '../db/schema.ts';

const hour = 60 * 60 * 1000;
const maxGapMs = 24 * hour;
const minBackwardStepMs = hour;
const purgeDelayMs = 72 * hour;

// Stored names, which the first release chose. Both counters hold milliseconds.
const lastMaintenanceCounter = 'last cleaning';
const purgeDelayCounter = 'removals wait for';

/**
 * Call at each hourly maintenance. Returns the milliseconds of uptime that are left before purges
 * may run, or 0. A clock jump is more than a day since the last maintenance, or an hour backwards.
 * A server that was stopped for longer than a day is treated in the same way.
 */
export async function updatePurgeDelay(db: Database, now: Date): Promise<number> {
  return db.transaction().execute(async (db) => {
    await lockActivity(db); // two instances must not count the same hour twice
    const elapsedMs = now.getTime() - (await getCounter(db, lastMaintenanceCounter));
    const isJump = elapsedMs > maxGapMs || elapsedMs < -minBackwardStepMs;
    // Count uptime instead of comparing dates, because the date may be wrong.
    const uptimeMs = Math.min(Math.max(elapsedMs, 0), hour);
    const remainingMs = isJump ? purgeDelayMs : Math.max(0, (await getCounter(db, purgeDelayCounter)) - uptimeMs);
    await setCounter(db, lastMaintenanceCounter, now.getTime());
    await setCounter(db, purgeDelayCounter, remainingMs);
    return remainingMs;
  });
}
