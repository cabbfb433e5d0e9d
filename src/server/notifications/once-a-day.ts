import { getCounter, incrementCounter, setCounter } from '../db/counters.ts';
import type { Database } from '../db/schema.ts';

/**
 * Runs the work if it has not run on this day. The counter's row is locked, so that only one of
 * several instances runs it. `last` is the day of the previous run, 0 for none; days are those of
 * `dayNumber`.
 */
export async function onceADay(
  db: Database,
  name: string,
  day: number,
  work: (db: Database, last: number) => Promise<void>,
): Promise<void> {
  if (await wasDone(db, name, day)) return;
  await db.transaction().execute(async (db) => {
    await incrementCounter(db, `${name} runs`);
    const last = await getCounter(db, name);
    if (last >= day) return;
    await setCounter(db, name, day);
    await work(db, last);
  });
}

export const wasDone = async (db: Database, name: string, day: number) => (await getCounter(db, name)) >= day;
