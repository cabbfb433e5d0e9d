// Notifies users of an event: in the app, by email and on their devices.
import { isAllowed, type Role, roles } from '#shared/access.ts';
import { getNextDay, getToday, timeNow } from '#shared/dates.ts';
import {
  isRequiredKind,
  type NotificationChannel,
  type NotificationKind,
  notificationKinds,
  quietHours,
} from '#shared/notifications.ts';
import { instantInParks } from '#shared/schedules/park-time.ts';
import { getCounter, incrementCounter } from '../db/counters.ts';
import type { Database, Tables } from '../db/schema.ts';
import { newId } from '../ids.ts';

/** The recipients. Only those whose role and park allow it are notified. */
export type Audience =
  /** The reviewers of a park, and those of all parks. */
  | { reviewersOf: string }
  /** The Admins of a park, and those of all parks. */
  | { adminsOf: string }
  /** Users by id. */
  | { users: string[] };

export type Notice = {
  kind: NotificationKind;
  to: Audience;
  /** The record it is about. Its page shows the deliveries as long as the record exists. */
  thing: string;
  thing_id: string;
  /** Only users who see this park are notified, now and when they look; '' for all parks. */
  park: string;
  /** The text in the app. It may contain an audit's title; never a name or an injury. */
  text: string;
  /**
   * The text of emails and push messages: kind, number and park. Never a name, an injury or free
   * text.
   */
  line: string;
  /** The screen to open, such as '/audit/…'. */
  link: string;
  /** Sends immediately, even in quiet hours or right after another of its kind. */
  isUrgent?: boolean;
  /** Each user is notified once per key. Without it every call is a new event. */
  event?: string;
};

/** The counter that says whether the server can send email; set at start. */
export const emailSetUpCounter = 'email is set up';

/** Messages of one kind to one user within this time are combined. */
const groupMs = 5 * 60_000;

/** Time limit for all attempts at a message, including the quiet hours before them. */
const longestWaitMs = 36 * 60 * 60_000;

/**
 * Notifies users of an event. Call it inside the write transaction of the change, with that
 * transaction's `db`. It only inserts rows, so a change that is rolled back notifies nobody, and a
 * committed change always notifies. The sender (sender.ts) sends the messages afterwards; the request
 * does not wait for it.
 *
 * Inserts a notification for each user of the audience, and a delivery for each channel the user
 * has and has not switched off. Returns the ids of the users told.
 *
 *     await notify(db, now, {
 *       kind: 'reportFiled', to: { reviewersOf: park }, thing: 'report', thing_id: id, park,
 *       text: `Accident report ${number} at ${park}`, line: `Accident report ${number} at ${park}`,
 *       link: '/get-reports',
 *     });
 *
 * A new kind is a line in `notificationKinds` (shared/notifications.ts).
 */
export async function notify(db: Database, now: Date, notice: Notice): Promise<string[]> {
  const users = await listRecipients(db, notice);
  if (users.length === 0) return [];
  const ids = users.map(({ id }) => id);
  const isOff = await findSwitchedOff(db, notice.kind, ids);
  const position = await incrementCounter(db, 'notifications');
  const created_at = now.toISOString();
  const { kind, thing, thing_id, park, text, line, link, event = newId() } = notice;
  const about = { position, kind, event, thing, thing_id, park, link, created_at };
  const inApp = users.filter(({ id }) => !isOff(id, 'app'));
  if (inApp.length > 0)
    await db
      .insertInto('notifications')
      .values(inApp.map(({ id }) => ({ ...about, id: newId(), user_id: id, words: text, read_at: null })))
      .onConflict((conflict) => conflict.columns(['user_id', 'event']).doNothing())
      .execute();

  const targets = await listTargets(db, users, isOff);
  if (targets.length === 0) return ids;
  const isUrgent = notice.isUrgent ?? false;
  const getDueTime = isUrgent ? () => now : await createGrouping(db, notice.kind, targets, now);
  await db
    .insertInto('deliveries')
    .values(
      targets.map(({ user, channel, subscription_id }) => ({
        ...about,
        id: newId(),
        user_id: user.id,
        user_name: user.username,
        channel,
        subscription_id,
        line,
        is_urgent: isUrgent ? (1 as const) : (0 as const),
        due_at: getDueTime({ user, channel, subscription_id }).toISOString(),
        state: 'waiting' as const,
        attempts: 0,
        leased_until: '',
      })),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'channel', 'subscription_id', 'event']).doNothing())
    .execute();
  return ids;
}

type Recipient = { id: string; username: string; email: string; role: Role; park: string };

async function listRecipients(db: Database, { kind, to, park }: Notice): Promise<Recipient[]> {
  const { access } = notificationKinds[kind];
  const allowed = roles.filter((role) => isAllowed('adminsOf' in to ? 'admin' : access, role));
  const place = 'reviewersOf' in to ? to.reviewersOf : 'adminsOf' in to ? to.adminsOf : park;
  if ('users' in to && to.users.length === 0) return [];
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role', 'park'])
    .where('deleted_at', 'is', null)
    .where('role', 'in', 'reviewersOf' in to ? allowed.filter((role) => role !== 'None') : allowed)
    .$if('users' in to, (only) => only.where('id', 'in', 'users' in to ? to.users : []))
    .$if(place !== '', (only) => only.where('park', 'in', ['', place]))
    .execute();
  return rows as Recipient[];
}

async function findSwitchedOff(db: Database, kind: NotificationKind, users: string[]) {
  const rows = isRequiredKind(kind)
    ? []
    : await db
        .selectFrom('notifications_off')
        .selectAll()
        .where('kind', '=', kind)
        .where('user_id', 'in', users)
        .execute();
  const off = new Set(rows.map(({ user_id, channel }) => `${channel} ${user_id}`));
  return (user: string, channel: NotificationChannel) => off.has(`${channel} ${user}`);
}

type Target = { user: Recipient; channel: 'email' | 'push'; subscription_id: string };

async function listTargets(
  db: Database,
  users: Recipient[],
  isOff: (user: string, channel: NotificationChannel) => boolean,
): Promise<Target[]> {
  const byId = new Map(users.map((user) => [user.id, user]));
  const hasEmail = users.some(({ email }) => email !== '') && (await getCounter(db, emailSetUpCounter)) === 1;
  const devices = await db
    .selectFrom('push_subscriptions')
    .select(['id', 'user_id'])
    .where('user_id', 'in', [...byId.keys()])
    .execute();
  return [
    ...users
      .filter(({ id, email }) => hasEmail && email !== '' && !isOff(id, 'email'))
      .map((user) => ({ user, channel: 'email' as const, subscription_id: '' })),
    ...devices
      .filter(({ user_id }) => !isOff(user_id, 'push'))
      .map(({ id, user_id }) => ({
        user: byId.get(user_id) as Recipient,
        channel: 'push' as const,
        subscription_id: id,
      })),
  ];
}

/**
 * A message is combined with a waiting one of its kind, or sent 5 minutes after the last; otherwise
 * it is due at once.
 */
async function createGrouping(db: Database, kind: NotificationKind, targets: Target[], now: Date) {
  const recent = await db
    .selectFrom('deliveries')
    .select(['user_id', 'channel', 'subscription_id', 'state', 'due_at', 'leased_until'])
    .where(
      'user_id',
      'in',
      targets.map(({ user }) => user.id),
    )
    .where('kind', '=', kind)
    .where('is_urgent', '=', 0)
    .where('created_at', '>', new Date(now.getTime() - longestWaitMs).toISOString())
    .orderBy('due_at')
    .execute();
  const getQueueName = (user: string, channel: string, device: string) => `${channel} ${user} ${device}`;
  const last = new Map(
    recent.map((row) => [getQueueName(row.user_id, row.channel, row.subscription_id), row] as const),
  );
  const earliestSend = getEndOfQuietHours(now);
  return ({ user, channel, subscription_id }: Target): Date => {
    const before = last.get(getQueueName(user.id, channel, subscription_id));
    if (!before) return earliestSend;
    const dueMs = Date.parse(before.due_at);
    const canJoin = before.state === 'waiting' && before.leased_until <= now.toISOString();
    if (canJoin || dueMs > now.getTime()) return new Date(Math.max(dueMs, earliestSend.getTime()));
    return new Date(Math.max(earliestSend.getTime(), dueMs + groupMs));
  };
}

/** Now, or 07:00 in the parks if it is between 21:00 and 07:00 there. */
export function getEndOfQuietHours(now: Date): Date {
  const [time, today] = [timeNow(now), getToday(now)];
  const { from, to } = quietHours;
  if (time >= to && time < from) return now;
  return new Date(instantInParks(time >= from ? getNextDay(today) : today, to, 'first'));
}

/** Deletes the deliveries about these records; call it when the records are purged. */
export async function deleteDeliveriesOf(db: Database, records: Tables['deliveries']['thing_id'][]): Promise<void> {
  if (records.length === 0) return;
  const deliveries = db.selectFrom('deliveries').select('id').where('thing_id', 'in', records);
  await db.deleteFrom('delivery_attempts').where('delivery_id', 'in', deliveries).execute();
  await db.deleteFrom('deliveries').where('thing_id', 'in', records).execute();
}
