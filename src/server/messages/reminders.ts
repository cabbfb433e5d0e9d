// Reminders of messages from guests that no one has read, each day at 08:00 in the parks.
import { getToday } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import type { Database } from '../db/schema.ts';
import { notify } from '../notifications/notify.ts';
import { runDaily } from '../notifications/reminders.ts';

export const remindOfMessages = (db: Database, now: Date) =>
  runDaily(db, now, 'message reminders', async (db) => {
    const parks = await db
      .selectFrom('guest_messages')
      .select((eb) => ['park', eb.fn.countAll<number>().as('count')])
      .where('closed_at', 'is', null)
      .where('read_at', 'is', null)
      .groupBy('park')
      .execute();
    for (const { park, count } of parks) {
      const line = `${pluralise(count, 'unread message')} from guests at ${park}`;
      await notify(db, now, {
        ...{ kind: 'guestMessage', to: { reviewersOf: park }, thing: 'park', thing_id: park, park },
        ...{ text: line, line, link: '/messages', event: `unread messages at ${park} ${getToday(now)}` },
      });
    }
  });
