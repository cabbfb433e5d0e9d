// Reminders of audits and verifications due and overdue, at 08:00 in the parks.
import { getTimeNow, getToday } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import { fromDayNumber, toDayNumber } from '#shared/schedules/park-time.ts';
import { advanceCounter } from '../db/counters.ts';
import type { Database } from '../db/schema.ts';
import { notify } from './notify.ts';

/** The time in the parks, also for the legal reminders in law/reminders.ts. */
export const reminderTime = '08:00';

/** How many days after the due day the assignee, the reviewers and the Admins are notified. */
const escalationDays = { assignee: 1, reviewers: 3, admins: 7 } as const;
/** A server that was stopped at 08:00 sends the reminder up to this many days later. */
const graceDays = 2;

/** Call it every minute on every instance: each day's reminders are written once. */
export async function sendAuditReminders(db: Database, now: Date): Promise<void> {
  const [today, time] = [getToday(now), getTimeNow(now)];
  const day = toDayNumber(today);
  if (time >= reminderTime) await advanceCounter(db, 'audit reminders', day, (db) => remindOfAudits(db, now, day));
}

async function remindOfAudits(db: Database, now: Date, day: number): Promise<void> {
  const [today, earliestDue] = [fromDayNumber(day), fromDayNumber(day - escalationDays.admins - graceDays)];
  const audits = await db
    .selectFrom('audits')
    .innerJoin('folders', 'folders.id', 'audits.folder_id')
    .select(['audits.id', 'audits.title', 'audits.date', 'audits.assignee_id', 'folders.park'])
    .select(['audits.verify_by', 'audits.verifier_id'])
    .where('audits.deletion_id', 'is', null)
    .where('folders.deletion_id', 'is', null)
    .where((eb) => eb.or([eb('audits.completed', '=', 0), eb('audits.verify_by', 'is not', null)]))
    .where('audits.due', '>=', earliestDue)
    .where('audits.due', '<', fromDayNumber(day + 2))
    .execute();
  for (const { id, title, date, assignee_id, park, verify_by, verifier_id } of audits) {
    // A completed audit waits for its verification.
    const [name, dueDay, userId] = verify_by ? ['Verification', verify_by, verifier_id] : ['Audit', date, assignee_id];
    const eventName = verify_by ? `verification ${id}` : id;
    const daysLate = day - toDayNumber(dueDay ?? today);
    const isReminderDay = (from: number) => daysLate >= from && daysLate <= from + graceDays;
    const notificationFields = { thing: 'audit', thing_id: id, park, link: `/audit/${id}` };
    const createTexts = (words: string) => ({ text: `${words}: ${title}`, line: `${words} at ${park}` });
    const users = { users: userId ? [userId] : [] };
    const days = pluralise(daysLate, 'day');
    if (daysLate === -1)
      await notify(db, now, {
        ...{ ...notificationFields, ...createTexts(`${name} due tomorrow`), kind: 'auditDue', to: users },
        event: `due ${eventName} ${dueDay}`,
      });
    if (isReminderDay(escalationDays.assignee))
      await notify(db, now, {
        ...{ ...notificationFields, ...createTexts(`${name} overdue by ${days}`), kind: 'auditDue', to: users },
        event: `overdue ${eventName} ${dueDay}`,
      });
    if (isReminderDay(escalationDays.reviewers))
      await notify(db, now, {
        ...{
          ...notificationFields,
          ...createTexts(`${name} overdue by ${days}`),
          kind: 'auditOverdue',
          to: { reviewersOf: park },
        },
        event: `overdue for 3 days ${eventName} ${dueDay}`,
      });
    if (isReminderDay(escalationDays.admins))
      await notify(db, now, {
        ...{
          ...notificationFields,
          ...createTexts(`${name} overdue by ${days}`),
          kind: 'auditOverdue',
          to: { adminsOf: park },
        },
        event: `overdue for 7 days ${eventName} ${dueDay}`,
      });
  }
}
