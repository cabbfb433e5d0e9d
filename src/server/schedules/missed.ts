// Notifies reviewers of scheduled checks whose window closed without a submission.
import { getTimeNow, getToday } from '#shared/dates.ts';
import { fromDayNumber, toDayNumber } from '#shared/schedules/park-time.ts';
import { advanceCounter, getCounter } from '../db/counters.ts';
import type { Database } from '../db/schema.ts';
import { notify } from '../notifications/notify.ts';

/**
 * The name of the counter. Its value is a time in seconds since 1970: windows that closed until
 * then have been handled.
 */
const counterName = 'missed checks until';
/** After a longer downtime, earlier missed checks are not reported. */
const maxLookBackSeconds = 2 * 24 * 60 * 60;
/** The counter is updated after this time even if no check was missed. */
const maxCounterAgeSeconds = 60 * 60;
/** In seconds. A counter further ahead than this was set while a clock was ahead. */
const maxAhead = 60 * 60;

/** Call it every minute on every instance: each missed check is reported once. */
export async function notifyOfMissedChecks(db: Database, now: Date): Promise<void> {
  const until = Math.floor(now.getTime() / 1000);
  const before = await getCounter(db, counterName);
  const isRecent = before > 0 && Math.abs(until - before) < maxCounterAgeSeconds;
  if (isRecent && (await listMissed(db, before, until)).length === 0) return;
  const notifyOfAll = async (db: Database, last: number) => {
    // A new installation reports nothing about the time before it.
    if (last === 0) return;
    for (const { id, park, closes_at, title } of await listMissed(db, last, until)) {
      const due = `due until ${getTimeNow(new Date(closes_at))}`;
      await notify(db, now, {
        ...{ kind: 'checkMissed', to: { reviewersOf: park }, thing: 'check', thing_id: id, park },
        text: `Check missed at ${park}: ${title}, ${due}`,
        line: `Scheduled check missed at ${park}, ${due}`,
        link: `/checks?state=missed&park=${encodeURIComponent(park)}`,
        event: `missed ${id}`,
      });
    }
  };
  await advanceCounter(db, counterName, until, notifyOfAll, { maxAhead, lookBack: maxLookBackSeconds });
}

/**
 * Returns checks whose window closed without a submission, after `after` and not later than
 * `until`.
 */
function listMissed(db: Database, after: number, until: number) {
  const from = Math.max(after, until - maxLookBackSeconds);
  const toIsoTimestamp = (seconds: number) => new Date(seconds * 1000).toISOString();
  // Filter by the indexed day first. A window may close on the day after it opened.
  const getParkDay = (seconds: number) => getToday(new Date(seconds * 1000));
  return db
    .selectFrom('due_checks')
    .innerJoin('checklists', 'checklists.id', 'due_checks.checklist_id')
    .select(['due_checks.id', 'due_checks.park', 'due_checks.closes_at', 'checklists.title'])
    .where('due_checks.day', '>=', fromDayNumber(toDayNumber(getParkDay(from)) - 1))
    .where('due_checks.day', '<=', getParkDay(until))
    .where('due_checks.closes_at', '>', toIsoTimestamp(from))
    .where('due_checks.closes_at', '<=', toIsoTimestamp(until))
    .where('due_checks.filled_in_at', 'is', null)
    .where('checklists.deletion_id', 'is', null)
    .orderBy('due_checks.closes_at')
    .orderBy('due_checks.park')
    .orderBy('due_checks.id')
    .execute();
}
