// The weekly summary for reviewers, on Mondays at 07:00 in the parks.
import { allParks } from '#shared/choices.ts';
import { getStartOfDay, getTimeNow, getToday } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import { fromDayNumber, toDayNumber } from '#shared/schedules/park-time.ts';
import { advanceCounter } from '../db/counters.ts';
import type { Database } from '../db/schema.ts';
import { notify } from '../notifications/notify.ts';
import { listReadiness } from '../schedules/readiness.ts';
import { isInState } from '../schedules/store.ts';

const digestTime = '07:00';

/** Call it every minute on every instance: each week's summary is written once. */
export async function sendWeeklyDigest(db: Database, now: Date): Promise<void> {
  const day = toDayNumber(getToday(now));
  const monday = day - ((day + 3) % 7);
  if (day === monday && getTimeNow(now) < digestTime) return;
  await advanceCounter(db, 'weekly digest', monday, async (db, last) => {
    // A new installation sends no summary of the time before it was installed.
    if (last > 0) await sendDigest(db, now, monday);
  });
}

async function sendDigest(db: Database, now: Date, monday: number): Promise<void> {
  const days = { from: fromDayNumber(monday - 7), to: fromDayNumber(monday - 1) };
  const [from, to] = [getStartOfDay(days.from), getStartOfDay(fromDayNumber(monday))];
  const ready = await listReadiness(db, { role: 'Admin', park: '' }, '', now);
  const reviewers = await db
    .selectFrom('users')
    .select(['id', 'park'])
    .where('deleted_at', 'is', null)
    .where('role', '!=', 'None')
    .execute();
  for (const [park, users] of Map.groupBy(reviewers, (user) => user.park)) {
    const count = async (query: Promise<{ count: number } | undefined>) => (await query)?.count ?? 0;
    const reports = await count(
      db
        .selectFrom('reports')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('deletion_id', 'is', null)
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .$if(park !== '', (qb) => qb.where('selectedPlace', '=', park))
        .executeTakeFirst(),
    );
    const audits = db
      .selectFrom('audits')
      .innerJoin('folders', 'folders.id', 'audits.folder_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('audits.deletion_id', 'is', null)
      .where('folders.deletion_id', 'is', null)
      .$if(park !== '', (qb) => qb.where('folders.park', '=', park));
    const done = await count(
      audits
        .where('audits.completed', '=', 1)
        .where('audits.completed_at', '>=', from)
        .where('audits.completed_at', '<', to)
        .executeTakeFirst(),
    );
    const overdue = await count(
      audits.where('audits.completed', '=', 0).where('audits.due', '<', getToday(now)).executeTakeFirst(),
    );
    const missed = await count(
      db
        .selectFrom('due_checks')
        .innerJoin('checklists', 'checklists.id', 'due_checks.checklist_id')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('due_checks.day', '>=', days.from)
        .where('due_checks.day', '<=', days.to)
        .where(isInState('missed', now.toISOString()))
        .where('checklists.deletion_id', 'is', null)
        .$if(park !== '', (qb) => qb.where('due_checks.park', '=', park))
        .executeTakeFirst(),
    );
    const notReady = ready.filter((facility) => !facility.is_ready && (park === '' || facility.park === park)).length;
    const numbers = [
      pluralise(reports, 'report'),
      `${pluralise(done, 'audit')} completed, ${overdue} overdue`,
      `${pluralise(missed, 'check')} missed`,
      `${pluralise(notReady, 'place')} not ready`,
    ];
    const words = `Last week${park && ` at ${park}`}: ${numbers.join(', ')}`;
    await notify(db, now, {
      kind: 'weeklyDigest',
      to: { users: users.map(({ id }) => id) },
      thing: 'digest',
      thing_id: '',
      // With a park, the summary is hidden from users who may no longer see that park; the summary
      // of all parks is hidden from those who are limited to one.
      park: park || allParks,
      text: words,
      line: words,
      link: `/overview?period=custom&from=${days.from}&to=${days.to}`,
      event: `digest ${fromDayNumber(monday)}`,
    });
  }
}
