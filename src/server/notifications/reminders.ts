// Reminders of audits due and overdue, at 08:00 in the parks.
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
    .where('audits.deletion_id', 'is', null)
    .where('folders.deletion_id', 'is', null)
    .where('audits.completed', '=', 0)
    .where('audits.due', '>=', earliestDue)
    .where('audits.due', '<', fromDayNumber(day + 2))
    .execute();
  for (const { id, title, date, assignee_id, park } of audits) {
    const daysLate = day - toDayNumber(date ?? today);
    const isReminderDay = (from: number) => daysLate >= from && daysLate <= from + graceDays;
    const notificationFields = { thing: 'audit', thing_id: id, park, link: `/audit/${id}` };
    const createTexts = (words: string) => ({ text: `${words}: ${title}`, line: `${words} at ${park}` });
    const users = { users: assignee_id ? [assignee_id] : [] };
    const days = pluralise(daysLate, 'day');
    if (daysLate === -1)
      await notify(db, now, {
        ...{ ...notificationFields, ...createTexts('Audit due tomorrow'), kind: 'auditDue', to: users },
        event: `due ${id} ${date}`,
      });
    if (isReminderDay(escalationDays.assignee))
      await notify(db, now, {
        ...{ ...notificationFields, ...createTexts(`Audit overdue by ${days}`), kind: 'auditDue', to: users },
        event: `overdue ${id} ${date}`,
      });
    if (isReminderDay(escalationDays.reviewers))
      await notify(db, now, {
        ...{
          ...notificationFields,
          ...createTexts(`Audit overdue by ${days}`),
          kind: 'auditOverdue',
          to: { reviewersOf: park },
        },
        event: `overdue for 3 days ${id} ${date}`,
      });
    if (isReminderDay(escalationDays.admins))
      await notify(db, now, {
        ...{
          ...notificationFields,
          ...createTexts(`Audit overdue by ${days}`),
          kind: 'auditOverdue',
          to: { adminsOf: park },
        },
        event: `overdue for 7 days ${id} ${date}`,
      });
  }
}
