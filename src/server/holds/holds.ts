// Sets holds, and reminds Admins to review them.
import { addYears } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { exposureReason } from '#shared/law/assessment.ts';
import type { Database, Tables } from '../db/schema.ts';
import { saltText } from '../hash.ts';
import { newId } from '../ids.ts';
import { notify } from '../notifications/notify.ts';
import { runDaily } from '../notifications/reminders.ts';

type Author = { id: string; username: string };

/** Returns the id of the hold, and the salted hash of its reason for the log. */
export async function insertHold(
  db: Database,
  { thing, thing_id, reason, reviewOn }: Pick<Tables['holds'], 'thing' | 'thing_id' | 'reason'> & { reviewOn: string },
  by: Author,
  now: Date,
): Promise<{ id: string; hash: string }> {
  const id = newId();
  const { salt, hash } = saltText(reason);
  await db
    .insertInto('holds')
    .values({
      id,
      thing,
      thing_id,
      reason,
      reason_salt: salt,
      review_on: reviewOn,
      created_at: now.toISOString(),
      created_by: by.id,
      created_by_name: by.username,
      lifted_at: null,
      lifted_by_name: null,
    })
    .execute();
  return { id, hash };
}

/**
 * Sets a hold on a report with an exposure, which is reviewed in a year and which only an Admin of all parks can
 * lift. Returns undefined if the report already has one.
 */
export async function holdForExposure(
  db: Database,
  reportId: string,
  by: Author,
  now: Date,
): Promise<{ id: string; hash: string } | undefined> {
  const hold = await db
    .selectFrom('holds')
    .select('id')
    .where('thing_id', '=', reportId)
    .where('reason', '=', exposureReason)
    .where('lifted_at', 'is', null)
    .executeTakeFirst();
  if (hold) return undefined;
  const reviewOn = addYears(getToday(now), 1);
  return insertHold(db, { thing: 'report', thing_id: reportId, reason: exposureReason, reviewOn }, by, now);
}

/** Notifies Admins once for each review day that a hold is due for review. */
export const remindOfReviews = (db: Database, now: Date): Promise<void> =>
  runDaily(db, now, 'hold reviews', async (db) => {
    const due = await db
      .selectFrom('holds')
      .leftJoin('reports', 'reports.id', 'holds.thing_id')
      .select(['holds.id', 'holds.thing', 'holds.review_on', 'reports.number'])
      .where('holds.lifted_at', 'is', null)
      .where('holds.review_on', '<=', getToday(now))
      .execute();
    for (const { id, thing, review_on, number } of due)
      await notify(db, now, {
        kind: 'holdReview',
        to: { adminsOf: '' },
        thing: 'hold',
        thing_id: id,
        park: '',
        text: `A hold is due for review: ${number ? `report ${number}` : `a ${thing}`}`,
        line: 'A hold is due for review',
        link: '/admin/records?tab=holds',
        event: `review of hold ${id} ${review_on}`,
      });
  });
