// Notifies reviewers of scheduled checks whose window closed without a submission.
import { addDays } from '#shared/calendar.ts';
import { getTimeNow, getToday } from '#shared/dates.ts';
import { advanceCounter, getCounter } from '../db/counters.ts';
import { countRows } from '../db/queries.ts';
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
    const missed = Map.groupBy(await listMissed(db, last, until), ({ schedule_id, park, opens_at }) =>
      [schedule_id, park, opens_at].join(' '),
    );
    for (const [key, checks] of missed) await notifyOf(db, key, checks, now);
  };
  await advanceCounter(db, counterName, until, notifyOfAll, { maxAhead, lookBack: maxLookBackSeconds });
}

type MissedCheck = Awaited<ReturnType<typeof listMissed>>[number];

/** The names of more places are left out. */
const maxNames = 50;

/** Tells the reviewers of the park of the missed checks of one schedule and window. */
async function notifyOf(db: Database, key: string, checks: MissedCheck[], now: Date): Promise<void> {
  const [first] = checks;
  if (!first) return;
  const { id, schedule_id, park, opens_at, closes_at, title } = first;
  const due = `due until ${getTimeNow(new Date(closes_at))}`;
  const names = checks.flatMap(({ place }) => place ?? []).sort(alphabet.compare);
  const ofWindow = db
    .selectFrom('due_checks')
    .where('schedule_id', '=', schedule_id)
    .where('park', '=', park)
    .where('opens_at', '=', opens_at);
  const listed = [...names.slice(0, maxNames), ...(names.length > maxNames ? [`${names.length - maxNames} more`] : [])];
  const places =
    names.length > 0
      ? `. ${names.length} of ${await countRows(ofWindow)} places: ${new Intl.ListFormat('en-GB').format(listed)}`
      : '';
  const subject = checks.length === 1 ? 'Scheduled check missed' : `${checks.length} scheduled checks missed`;
  await notify(db, now, {
    ...{ kind: 'checkMissed', to: { reviewersOf: park }, thing: 'check', thing_id: id, park },
    text: `Check missed at ${park}: ${title}, ${due}${places}`,
    line: `${subject} at ${park}, ${due}`,
    link: `/checks?state=missed&park=${encodeURIComponent(park)}`,
    event: `missed ${names.length > 0 ? key : id}`,
  });
}

const alphabet = new Intl.Collator('en-GB', { numeric: true });

/**
 * Returns checks whose window closed without a submission, after `after` and not later than
 * `until`.
 */
function listMissed(db: Database, after: number, until: number) {
  const from = Math.max(after, until - maxLookBackSeconds);
  const toIsoTimestamp = (seconds: number) => new Date(seconds * 1000).toISOString();
  // Filter by the indexed day first. A window may close on the day after it opened.
  const getParkDay = (seconds: number) => getToday(new Date(seconds * 1000));
  return (
    db
      .selectFrom('due_checks')
      .innerJoin('checklists', 'checklists.id', 'due_checks.checklist_id')
      .leftJoin('places', 'places.id', 'due_checks.place_id')
      .select(['due_checks.id', 'due_checks.schedule_id', 'due_checks.park', 'due_checks.opens_at'])
      .select(['due_checks.closes_at', 'checklists.title', 'places.name as place'])
      .where('due_checks.day', '>=', addDays(getParkDay(from), -1))
      .where('due_checks.day', '<=', getParkDay(until))
      .where('due_checks.closes_at', '>', toIsoTimestamp(from))
      .where('due_checks.closes_at', '<=', toIsoTimestamp(until))
      .where('due_checks.filled_in_at', 'is', null)
      .where('checklists.deletion_id', 'is', null)
      // Nobody could be asked to check a place that is retired.
      .where('places.retired_at', 'is', null)
      .orderBy('due_checks.closes_at')
      .orderBy('due_checks.park')
      .orderBy('due_checks.id')
      .execute()
  );
}
