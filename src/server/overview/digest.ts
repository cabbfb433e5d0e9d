// The weekly summary for reviewers, on Mondays at 07:00 in the parks.
import { canSeePark } from '#shared/access.ts';
import { addDays, getMonday, toDayNumber } from '#shared/calendar.ts';
import { allParks } from '#shared/choices.ts';
import { getStartOfDay, getTimeNow, getToday } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import { isNotReady } from '#shared/schedules/schedules.ts';
import { selectVisibleAudits } from '../audits/scope.ts';
import { advanceCounter } from '../db/counters.ts';
import { countRows } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import { countOpenMessages } from '../messages/store.ts';
import { notify } from '../notifications/notify.ts';
import { joinParks } from '../notifications/visible.ts';
import { listReadiness } from '../schedules/readiness.ts';
import { isInState } from '../schedules/store.ts';
import { isOfVisiblePark, parseStoredParks } from '../user-parks.ts';

const digestTime = '07:00';

/** Call it every minute on every instance: each week's summary is written once. */
export async function sendWeeklyDigest(db: Database, now: Date): Promise<void> {
  const today = getToday(now);
  const monday = getMonday(today);
  if (today === monday && getTimeNow(now) < digestTime) return;
  await advanceCounter(db, 'weekly digest', toDayNumber(monday), async (db, last) => {
    // A new installation sends no summary of the time before it was installed.
    if (last > 0) await sendDigest(db, now, monday);
  });
}

async function sendDigest(db: Database, now: Date, monday: string): Promise<void> {
  const days = { from: addDays(monday, -7), to: addDays(monday, -1) };
  const [from, to] = [getStartOfDay(days.from), getStartOfDay(monday)];
  const ready = await listReadiness(db, { role: 'Admin', parks: null }, { parks: null }, now);
  const reviewers = await db
    .selectFrom('users')
    .select(['id', 'parks'])
    .where('deleted_at', 'is', null)
    .where('role', '!=', 'None')
    .execute();
  for (const [storedParks, users] of Map.groupBy(reviewers, (user) => user.parks)) {
    const viewer = { parks: parseStoredParks(storedParks) };
    const park = viewer.parks && joinParks(viewer.parks);
    const reports = await countRows(
      db
        .selectFrom('reports')
        .where('deletion_id', 'is', null)
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .where(isOfVisiblePark('selectedPlace', viewer)),
    );
    const audits = selectVisibleAudits(db, viewer);
    const done = await countRows(
      audits
        .where('audits.completed', '=', 1)
        .where('audits.completed_at', '>=', from)
        .where('audits.completed_at', '<', to),
    );
    const overdue = await countRows(audits.where('audits.completed', '=', 0).where('audits.due', '<', getToday(now)));
    const missed = await countRows(
      db
        .selectFrom('due_checks')
        .innerJoin('checklists', 'checklists.id', 'due_checks.checklist_id')
        .where('due_checks.day', '>=', days.from)
        .where('due_checks.day', '<=', days.to)
        .where(isInState('missed', now.toISOString()))
        .where('checklists.deletion_id', 'is', null)
        .where(isOfVisiblePark('due_checks.park', viewer)),
    );
    const notReady = ready.filter((place) => isNotReady(place) && canSeePark(viewer, place.park)).length;
    const messages = await countOpenMessages(db, viewer);
    const numbers = [
      pluralise(reports, 'report'),
      `${pluralise(done, 'audit')} completed, ${overdue} overdue`,
      `${pluralise(missed, 'check')} missed`,
      `${pluralise(notReady, 'place')} not ready`,
      ...(messages > 0 ? [`${pluralise(messages, 'message')} from guests open`] : []),
    ];
    const words = `Last week${park === null ? '' : ` at ${park}`}: ${numbers.join(', ')}`;
    await notify(db, now, {
      kind: 'weeklyDigest',
      to: { users: users.map(({ id }) => id) },
      thing: 'digest',
      thing_id: '',
      // Hides a summary from users who may no longer see its parks.
      park: park ?? allParks,
      text: words,
      line: words,
      link: `/overview?period=custom&from=${days.from}&to=${days.to}`,
      event: `digest ${monday}`,
    });
  }
}
