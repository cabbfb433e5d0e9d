// What the requests of users cause on the server: notifications by email and push to everyone,
// failing answers that create audits, and scheduled checks.
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { parks } from '#shared/choices.ts';
import { getTimeNow, getToday } from '#shared/dates.ts';
import { listChecklists, updateChecklist } from '../../src/server/checklists/store.ts';
import type { Database } from '../../src/server/db/schema.ts';
import { newId } from '../../src/server/ids.ts';
import { findOrCreatePlaces } from '../../src/server/schedules/retired-places.ts';
import { insertSchedule } from '../../src/server/schedules/store.ts';
import { startMailServer } from '../../src/server/testing/mail-server.ts';
import { startPushService } from '../../src/server/testing/push-service.ts';
import { printTable } from './figures.ts';
import type { Person } from './people.ts';

/** How long the server has to send the messages about the last changes. */
const deliveryWaitMs = 10_000;

export type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/**
 * A mail server that accepts everything, and a push service that checks signatures and decrypts.
 */
export async function startReceivers() {
  const [mail, push] = await Promise.all([startMailServer(), startPushService()]);
  return {
    mail,
    push,
    settings: { ...mail.settings, ...push.settings },
    stop: () => Promise.all([mail.stop(), push.stop()]),
  };
}

/**
 * Gives every user an email address and a device, marks answers of checklists as failing, and
 * schedules every checklist in all parks.
 */
export async function enableFollowUp(db: Database, { push }: Receivers, people: Person[], by: string): Promise<void> {
  const now = new Date();
  await db.updateTable('users').set({ email: sql<string>`username || '@example.com'` }).execute();
  const users = await db.selectFrom('users').select(['id', 'username']).execute();
  const devices = users.map(({ id, username }) => {
    const { endpoint, keys } = push.subscribe(username);
    return { id: newId(), user_id: id, session: '', endpoint, ...keys, created_at: now.toISOString() };
  });
  const assignees = Object.fromEntries(
    parks.map((park) => [park, people.find((person) => person.park === park && !person.isReviewer)?.username ?? '']),
  );
  await db.transaction().execute(async (db) => {
    await db.insertInto('push_subscriptions').values(devices).execute();
    for (const { version, sections, ...checklist } of await listChecklists(db)) {
      const failingIndex = sections.findIndex(({ type }) => type === 'na');
      const onFail = { when: 'No', photo: 'optional', audit: { urgent: false, days: 3, assignees } } as const;
      const changed = sections.map((section, index) => (index === failingIndex ? { ...section, onFail } : section));
      await updateChecklist(db, { ...checklist, sections: changed, version: version + 1 }, by, now);
      const days = { repeat: 'daily', weekday: null, month_day: null, season_from: null, season_to: null } as const;
      const schedule = { parks: [...parks], ...days, ends_on: null };
      const times = { opens_at: '00:00', more_windows: [], starts_on: getToday(now) };
      const reviewer = { user: { id: by, parks: null }, now };
      const places = await findOrCreatePlaces(db, [...parks], checklist.title, { by: 'bench', now }, () => undefined);
      const opening = { ...schedule, ...times, closes_at: '23:59', places, opens: true };
      await insertSchedule(db, checklist.id, opening, reviewer);
      // This check is missed during the run, unless someone has just submitted it.
      const closingTime = getTimeNow(new Date(now.getTime() + 2 * 60_000));
      const missed = { ...schedule, ...times, closes_at: closingTime, places: [], opens: false };
      await insertSchedule(db, checklist.id, missed, reviewer);
    }
  });
}

/** Prints how many messages were sent, and how long after they were due. */
export async function printDeliveries(db: Database, { push }: Receivers): Promise<void> {
  await wait(deliveryWaitMs);
  const rows = await db
    .selectFrom('deliveries')
    .leftJoin('delivery_attempts', 'delivery_attempts.delivery_id', 'deliveries.id')
    .select(['deliveries.channel', 'deliveries.state', 'deliveries.attempts', 'deliveries.due_at'])
    .select(['delivery_attempts.at', 'delivery_attempts.message_id'])
    .execute();
  const now = new Date().toISOString();
  const table = [...Map.groupBy(rows, ({ channel }) => channel)].map(([channel, channelRows]) => {
    const sentRows = channelRows.filter(({ state }) => state === 'sent');
    // `due_at` of a retry is not when the message was first due, so only first attempts count.
    const delays = sentRows
      .filter(({ attempts }) => attempts === 1)
      .map(({ at, due_at }) => Math.max(0, Date.parse(at ?? '') - Date.parse(due_at)))
      .sort((a, b) => a - b);
    const getPercentile = (share: number) => ((delays[Math.ceil(delays.length * share) - 1] ?? 0) / 1000).toFixed(1);
    const lateDeliveryCount = channelRows.filter(({ state, due_at }) => state === 'waiting' && due_at <= now).length;
    const failed = channelRows.filter(
      ({ state, attempts }) => state === 'failed' || (state === 'waiting' && attempts > 0),
    );
    const messages = new Set(sentRows.map(({ message_id }) => message_id)).size;
    return [
      channel,
      channelRows.length,
      sentRows.length,
      messages,
      lateDeliveryCount,
      failed.length,
      getPercentile(0.5),
      getPercentile(0.95),
      getPercentile(1),
    ];
  });
  console.log('Notifications by email and push; seconds after they were due\n');
  printTable(
    ['channel', 'to send', 'sent', 'in messages', 'due, not sent', 'failed', 'p50', 'p95', 'max, target 10'],
    table,
  );
  if (push.problems.length > 0) console.log(`The push service rejected ${push.problems.length}: ${push.problems[0]}`);
}
