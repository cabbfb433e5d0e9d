// Reminders of messages from guests that no one has read, each day at 08:00 in the parks.
import { getTimeNow, getToday } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import { toDayNumber } from '#shared/schedules/park-time.ts';
import { advanceCounter } from '../db/counters.ts';
import type { Database } from '../db/schema.ts';
import { notify } from '../notifications/notify.ts';
import { reminderTime } from '../notifications/reminders.ts';

/** Call it every minute on every instance: each day's reminders are written once. */
export async function remindOfMessages(db: Database, now: Date): Promise<void> {
  const today = getToday(now);
  if (getTimeNow(now) < reminderTime) return;
  await advanceCounter(db, 'message reminders', toDayNumber(today), async (db) => {
    const parks = await db
      .selectFrom('guest_messages')
      .select((eb) => ['park', eb.fn.countAll<number>().as('count')])
      .where('closed_at', 'is', null)
      .where('read_at', 'is', null)
      .groupBy('park')
      .execute();
    for (const { park, count } of parks) {
      const line = `${pluralise(Number(count), 'unread message')} from guests at ${park}`;
      await notify(db, now, {
        ...{ kind: 'guestMessage', to: { reviewersOf: park }, thing: 'park', thing_id: park, park },
        ...{ text: line, line, link: '/messages', event: `unread messages at ${park} ${today}` },
      });
    }
  });
}
