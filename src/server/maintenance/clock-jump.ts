// A clock that jumps must destroy nothing. What goes for good goes by its age, and age is what a clock set wrong gets wrong: so after
// a jump the hourly cleaning removes nothing until the server has been up for three more days, time to set the clock right.
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
 * Asked once at each cleaning: how many milliseconds of being up are left before anything may be removed; 0 when it may be. More than
 * a day since the last cleaning, or an hour back from it, is a jump. A long stop looks the same, and waits too.
 */
export async function updatePurgeDelay(db: Database, now: Date): Promise<number> {
  return db.transaction().execute(async (db) => {
    await lockActivity(db); // two copies must not count the same hour twice
    const passed = now.getTime() - (await getCounter(db, lastRunCounter));
    const isJump = passed > maxGapMs || passed < -minBackwardStepMs;
    // Counted in hours lived through and not to a date: the date may be what is wrong.
    const lived = Math.min(Math.max(passed, 0), hour);
    const left = isJump ? purgeDelayMs : Math.max(0, (await getCounter(db, purgeDelayCounter)) - lived);
    await setCounter(db, lastRunCounter, now.getTime());
    await setCounter(db, purgeDelayCounter, left);
    return left;
  });
}
