// No checks are due at parks that the list of parks says are closed.
import { getToday } from '#shared/dates.ts';
import { getParkList } from '#shared/park-list.ts';
import { serverActor } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { setClosedPeriods } from '../parks/closed-periods.ts';
import { endClosure, insertClosure } from './store.ts';

const ends_on = '9999-12-31';

/**
 * Enters closed days without an end for each closed park, and ends those of parks that are open again. Records that
 * arrived between are marked, so that a period of a day or more stays.
 */
export async function closeListedParks(db: Database, now: Date): Promise<void> {
  const { isRight } = await compare(db);
  if (!isRight)
    await writeTransaction(db, serverActor, now, async (db) => {
      // Another instance may have done it since.
      const { missing, wrong } = await compare(db);
      for (const closure of wrong) await endClosure(db, closure, now);
      for (const park of missing) await insertClosure(db, { park, starts_on: getToday(now), ends_on }, null, now);
    });
  setClosedPeriods(await selectPeriods(db).execute());
}

const selectPeriods = (db: Database) => db.selectFrom('park_closures').selectAll().where('created_by', 'is', null);

async function compare(db: Database) {
  const entered = await selectPeriods(db).where('ends_on', '=', ends_on).execute();
  const closed = getParkList().flatMap(({ name, isClosed }) => (isClosed ? [name] : []));
  const missing = closed.filter((park) => !entered.some((closure) => closure.park === park));
  const wrong = entered.filter(({ park }) => !closed.includes(park));
  return { missing, wrong, isRight: missing.length + wrong.length === 0 };
}
