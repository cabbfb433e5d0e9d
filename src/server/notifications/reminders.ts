// Reminders of what is due and overdue, at 08:00 in the parks.
import { countDays, toDayNumber } from '#shared/calendar.ts';
import { getTimeNow, getToday } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import { advanceCounter, getCounter } from '../db/counters.ts';
import type { Database } from '../db/schema.ts';
import { type Notice, notify } from './notify.ts';

/** The time in the parks at which reminders are sent. */
const reminderTime = '08:00';

/** How many days after the due day the assignee, the reviewers and the Admins are notified. */
const escalationDays = { assignee: 1, reviewers: 3, admins: 7 } as const;
/** A server that was stopped at 08:00 sends the reminder up to this many days later. */
export const graceDays = 2;
/** How many days after the due day the last reminder may be sent. */
export const lastReminderDay = escalationDays.admins + graceDays;

type DailyOptions<Found> = {
  /** Reads what the work needs before its transaction, because other writes wait while one runs. */
  find?: (db: Database) => Promise<Found>;
  /** After a clock that was ahead, how many days the last run counts as having been before. */
  lookBack?: number;
};

/**
 * Runs a day's work once, at 08:00 in the parks or later. Call it every minute on every instance. `work` gets how many
 * days the last run was before today, 1 at the first, and what `find` has returned.
 */
export async function runDaily<Found = void>(
  db: Database,
  now: Date,
  counter: string,
  work: (db: Database, days: number, found: Found) => Promise<void>,
  { find, lookBack }: DailyOptions<Found> = {},
): Promise<void> {
  const day = toDayNumber(getToday(now));
  if (getTimeNow(now) < reminderTime || (await getCounter(db, counter)) === day) return;
  const found = (await find?.(db)) as Found;
  const run = (db: Database, last: number) => work(db, last > 0 ? day - last : 1, found);
  await advanceCounter(db, counter, day, run, { lookBack });
}

type Due = Pick<Notice, 'thing' | 'thing_id' | 'park' | 'link'> & {
  /** `Audit`, before 'due tomorrow'. */
  name: string;
  /** What follows `Audit due tomorrow`: in the app, and in emails and push messages. */
  words: { text: string; line: string };
  dueDay: string;
  users: string[];
  kinds: { due: Notice['kind']; overdue: Notice['kind'] };
  /** The part of the keys of events that names the record. */
  eventName: string;
};

/** Notifies of something that is due tomorrow, or has been overdue for 1, 3 or 7 days. */
export async function remindOfDueDay(
  db: Database,
  now: Date,
  { name, words, dueDay, users, kinds, eventName, ...record }: Due,
): Promise<void> {
  const daysLate = countDays(dueDay, getToday(now));
  const isReminderDay = (from: number) => daysLate >= from && daysLate <= from + graceDays;
  const overdue = `${name} overdue by ${pluralise(daysLate, 'day')}`;
  const { assignee, reviewers, admins } = escalationDays;
  const steps = [
    [daysLate === -1, kinds.due, { users }, `${name} due tomorrow`, 'due'],
    [isReminderDay(assignee), kinds.due, { users }, overdue, 'overdue'],
    [isReminderDay(reviewers), kinds.overdue, { reviewersOf: record.park }, overdue, 'overdue for 3 days'],
    [isReminderDay(admins), kinds.overdue, { adminsOf: record.park }, overdue, 'overdue for 7 days'],
  ] as const;
  for (const [isDue, kind, to, state, step] of steps) {
    const texts = { text: `${state}${words.text}`, line: `${state}${words.line}` };
    if (isDue) await notify(db, now, { ...record, ...texts, kind, to, event: `${step} ${eventName} ${dueDay}` });
  }
}
