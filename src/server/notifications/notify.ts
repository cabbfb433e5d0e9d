// Notifies users of an event: in the app, by email and on their devices.
import { sql } from 'kysely';
import { isAllowed, type Parks, type Role, roles } from '#shared/access.ts';
import { getNextDay, getTimeNow, getToday } from '#shared/dates.ts';
import {
  isRequiredKind,
  type NotificationChannel,
  type NotificationKind,
  notificationKinds,
  quietHours,
} from '#shared/notifications.ts';
import { getParkInstant } from '#shared/schedules/park-time.ts';
import { maxClockDriftMs } from '../clock.ts';
import { getCounter, incrementCounter } from '../db/counters.ts';
import { prepare } from '../db/prepared.ts';
import type { Database, Tables } from '../db/schema.ts';
import { newId } from '../ids.ts';
import { parseStoredParks, seesPark, toListItem } from '../user-parks.ts';

/** The users to notify. Those whose role or park does not allow it are left out. */
type Audience =
  /** The reviewers of a park, and those of all parks. */
  | { reviewersOf: string }
  /** The Admins of a park, and those of all parks; with '' every Admin. */
  | { adminsOf: string }
  /** Users by id. */
  | { users: string[] };

export type Notice = {
  kind: NotificationKind;
  to: Audience;
  /** The record that the event is about. Its page shows the deliveries as long as it exists. */
  thing: string;
  thing_id: string;
  /** Only users who see this park are notified, now and when they look; '' for all parks. */
  park: string;
  /**
   * The text in the app. It may contain the title of an audit or checklist, or a place; no other
   * name, and no injury.
   */
  text: string;
  /**
   * The text of emails and push messages: kind, number and park. Never a name, an injury or free
   * text.
   */
  line: string;
  /** The screen to open, such as '/audit/…'. */
  link: string;
  /**
   * Sends immediately, even in quiet hours or right after another of its kind, but not right after
   * another about its record.
   */
  isUrgent?: boolean;
  /** Emails this address too: the earlier one of the only user. */
  earlierAddress?: string;
  /** The key of the event: each user is notified of it once. Without it every call is a new event. */
  event?: string;
};

/** The counter that says whether the server can send email; set by the sender. */
export const emailFlagName = 'email is set up';
export const emailFlags = { off: 0, on: 1, notEncrypted: 2 } as const;

/** Messages of one kind to one user within this time are combined. */
const groupingMs = 5 * 60_000;
/** Messages about one record to one user within this time are combined. */
const recordGroupingMs = 10 * 60_000;
/** The longest time that a message waits for its first or next attempt. */
export const maxDelayMs = 24 * 60 * 60_000;

/**
 * Notifies users of an event. Call it inside the write transaction of the change, with that
 * transaction's `db`. It only inserts rows, so a change that is rolled back notifies nobody, and a
 * committed change always notifies. The sender (sender.ts) sends the messages afterwards; the request
 * does not wait for it.
 *
 * Inserts a notification for each user of the audience, and a delivery for each channel the user
 * has and has not switched off. Returns the ids of the notified users.
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
  const isSwitchedOff = await loadIsSwitchedOff(db, notice.kind, ids);
  const position = await incrementCounter(db, 'notifications');
  const created_at = now.toISOString();
  const { kind, thing, thing_id, park, text, line, link, event = newId() } = notice;
  const sharedFields = { position, kind, event, thing, thing_id, park, link, created_at };
  if (notice.event) await renameFutureEvents(db, ids, event, now);
  const inApp = users.filter(({ id }) => !isSwitchedOff(id, 'app'));
  if (inApp.length > 0)
    await insertNotifications(db, {
      ...sharedFields,
      words: text,
      ids: inApp.map(() => newId()),
      users: inApp.map(({ id }) => id),
    });

  const targets = await listTargets(db, users, isSwitchedOff, notice.earlierAddress);
  if (targets.length === 0) return ids;
  const plans = new Map<Target, { due: Date; isUrgent: boolean }>();
  const range = {
    from: addMs(now, -maxDelayMs),
    to: addMs(now, maxDelayMs),
    latestCreation: addMs(now, maxClockDriftMs),
  };
  const earlier = thing_id ? await listDeliveriesAbout(db, { thing, thing_id, ...range }) : [];
  for (const target of targets) {
    const about = earlier.find(
      (row) =>
        row.user_id === target.user.id &&
        row.channel === target.channel &&
        row.subscription_id === target.subscription_id &&
        row.address === target.address,
    );
    plans.set(target, await planDelivery(db, notice, target, about, now));
  }
  await db
    .insertInto('deliveries')
    .values(
      [...plans].map(([{ user, channel, subscription_id, address }, { due, isUrgent }]) => ({
        ...sharedFields,
        ...(address && { event: `${event} earlier address` }),
        address,
        id: newId(),
        user_id: user.id,
        user_name: user.username,
        channel,
        subscription_id,
        line,
        is_urgent: isUrgent ? (1 as const) : (0 as const),
        due_at: due.toISOString(),
        state: 'waiting' as const,
        attempts: 0,
        leased_until: '',
      })),
    )
    .onConflict((conflict) => conflict.columns(['user_id', 'channel', 'subscription_id', 'event']).doNothing())
    .execute();
  return ids;
}

/** Renames events stored while a clock was ahead, so that they do not stop the notifications at the right time. */
async function renameFutureEvents(db: Database, users: string[], event: string, now: Date): Promise<void> {
  const latest = new Date(now.getTime() + maxClockDriftMs).toISOString();
  for (const table of ['notifications', 'deliveries'] as const)
    await db
      .updateTable(table)
      .set({ event: sql`event || ' ' || created_at` })
      .where('user_id', 'in', users)
      .where('event', '=', event)
      .where('created_at', '>', latest)
      .execute();
}

type SharedFields = Omit<Tables['notifications'], 'id' | 'user_id' | 'read_at'>;

const insertNotifications = prepare(
  (db, { ids, users, ...sharedFields }: SharedFields & { ids: string[]; users: string[] }) =>
    db
      .insertInto('notifications')
      .values(ids.map((id, at) => ({ ...sharedFields, id, user_id: users[at] as string, read_at: null })))
      .onConflict((conflict) => conflict.columns(['user_id', 'event']).doNothing()),
);

type Recipient = { id: string; username: string; email: string; role: Role; parks: Parks };

async function listRecipients(db: Database, { kind, to, park }: Notice): Promise<Recipient[]> {
  const { access } = notificationKinds[kind];
  const permitted = roles.filter((role) => isAllowed('adminsOf' in to ? 'admin' : access, { role, parks: null }));
  const recipientRoles = 'reviewersOf' in to ? permitted.filter((role) => role !== 'None') : permitted;
  const visiblePark = 'reviewersOf' in to ? to.reviewersOf : 'adminsOf' in to ? to.adminsOf : park;
  const item = visiblePark === '' ? undefined : toListItem(visiblePark);
  const ids = 'users' in to ? to.users : undefined;
  if (ids?.length === 0) return [];
  const rows =
    item && !ids
      ? await selectUsersOfPark(db, { roles: recipientRoles, item })
      : await selectUsers(db, { roles: recipientRoles, item, ids }).execute();
  return rows
    .map(({ parks, role, ...row }) => ({ ...row, role: role as Role, parks: parseStoredParks(parks) }))
    .filter((recipient) => isAllowed(access, recipient));
}

const selectUsers = (
  db: Database,
  { roles, item, ids }: { roles: string[]; item?: string | undefined; ids?: string[] | undefined },
) =>
  db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'role', 'parks'])
    .where('deleted_at', 'is', null)
    // Someone whom the provider no longer lets in gets nothing either.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('identity_links')
            .select('user_id')
            .whereRef('identity_links.user_id', '=', 'users.id')
            .where('access', '=', 'refused'),
        ),
      ),
    )
    .where('role', 'in', roles)
    .$if(ids !== undefined, (qb) => qb.where('id', 'in', ids ?? []))
    .$if(item !== undefined, (qb) => qb.where(seesPark(item ?? '')));

/** A prepared query, because each submitted report runs it. */
const selectUsersOfPark = prepare((db, values: { roles: string[]; item: string }) => selectUsers(db, values));

async function loadIsSwitchedOff(db: Database, kind: NotificationKind, users: string[]) {
  const rows = isRequiredKind(kind) ? [] : await selectSwitchedOff(db, { kind, users });
  const switchedOff = new Set(rows.map(({ user_id, channel }) => `${channel} ${user_id}`));
  return (user: string, channel: NotificationChannel) => switchedOff.has(`${channel} ${user}`);
}

const selectSwitchedOff = prepare((db, { kind, users }: { kind: NotificationKind; users: string[] }) =>
  db.selectFrom('notifications_off').selectAll().where('kind', '=', kind).where('user_id', 'in', users),
);

/** `address` is the user's earlier email address; empty for the current one, and for push. */
type Target = { user: Recipient; channel: 'email' | 'push'; subscription_id: string; address: string };

async function listTargets(
  db: Database,
  users: Recipient[],
  isSwitchedOff: (user: string, channel: NotificationChannel) => boolean,
  earlierAddress = '',
): Promise<Target[]> {
  const byId = new Map(users.map((user) => [user.id, user]));
  const isEmailPossible = earlierAddress !== '' || users.some(({ email }) => email !== '');
  const hasEmail = isEmailPossible && (await getCounter(db, emailFlagName)) === emailFlags.on;
  const forEmail = { channel: 'email', subscription_id: '' } as const;
  const devices = await selectDevices(db, { users: [...byId.keys()] });
  return [
    ...users
      .filter(({ id, email }) => hasEmail && email !== '' && !isSwitchedOff(id, 'email'))
      .map((user) => ({ user, ...forEmail, address: '' })),
    ...users
      .filter(() => hasEmail && earlierAddress !== '')
      .map((user) => ({ user, ...forEmail, address: earlierAddress })),
    ...devices
      .filter(({ user_id }) => !isSwitchedOff(user_id, 'push'))
      .map(({ id, user_id }) => ({
        user: byId.get(user_id) as Recipient,
        channel: 'push' as const,
        subscription_id: id,
        address: '',
      })),
  ];
}

const selectDevices = prepare((db, { users }: { users: string[] }) =>
  db.selectFrom('push_subscriptions').select(['id', 'user_id']).where('user_id', 'in', users),
);

/** Returns the time `ms` after now, as ISO 8601. */
export const addMs = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString();

type LastDelivery = Pick<Tables['deliveries'], 'state' | 'due_at' | 'leased_until' | 'created_at'>;

const selectLastDelivery = prepare(
  (
    db,
    to: {
      user_id: string;
      kind: NotificationKind;
      channel: Target['channel'];
      subscription_id: string;
      latest: string;
      latestCreation: string;
    },
  ) =>
    db
      .selectFrom('deliveries')
      .select(['state', 'due_at', 'leased_until', 'created_at'])
      .where('user_id', '=', to.user_id)
      .where('kind', '=', to.kind)
      .where('channel', '=', to.channel)
      .where('subscription_id', '=', to.subscription_id)
      .where('is_urgent', '=', 0)
      .where('due_at', '<=', to.latest)
      // Later ones were sent while a clock was ahead.
      .where('created_at', '<=', to.latestCreation)
      .orderBy('due_at', 'desc')
      .limit(1),
);

/** Returns the planned or sent deliveries of the last day about a record, the last one first. */
const listDeliveriesAbout = prepare(
  (
    db,
    {
      thing,
      thing_id,
      from,
      to,
      latestCreation,
    }: Record<'thing' | 'thing_id' | 'from' | 'to' | 'latestCreation', string>,
  ) =>
    db
      .selectFrom('deliveries')
      .select(['user_id', 'channel', 'subscription_id', 'address', 'state', 'due_at', 'leased_until', 'created_at'])
      .where('thing_id', '=', thing_id)
      .where('thing', '=', thing)
      .where('due_at', '>=', from)
      .where('due_at', '<=', to)
      .where('created_at', '<=', latestCreation)
      .orderBy('due_at', 'desc'),
);

/**
 * Returns when a message is due, and whether it is still urgent. A recipient gets one message about
 * a record in ten minutes, and only the first may come in quiet hours. Others of one kind are five
 * minutes apart.
 */
async function planDelivery(
  db: Database,
  { kind, isUrgent }: Notice,
  { user, channel, subscription_id }: Target,
  about: LastDelivery | undefined,
  now: Date,
) {
  const earliest = getEndOfQuietHours(now);
  const sameRecordDue = about && getNextDueTime(about, recordGroupingMs, now);
  // Two messages of one change are sent as one.
  const isSameChange = about?.created_at === now.toISOString() && about.due_at <= now.toISOString();
  const isFirst = !sameRecordDue || isSameChange || (sameRecordDue <= now && !isSameNight(about, now));
  if (isUrgent && isFirst) return { due: now, isUrgent: true };
  const latest = addMs(now, maxDelayMs);
  const [last] = await selectLastDelivery(db, {
    user_id: user.id,
    kind,
    channel,
    subscription_id,
    latest,
    latestCreation: addMs(now, maxClockDriftMs),
  });
  const times = [earliest, sameRecordDue ?? now, last ? getNextDueTime(last, groupingMs, now) : now];
  return { due: new Date(Math.max(...times.map((time) => time.getTime()))), isUrgent: false };
}

/** Returns when the last message is due if it can still be joined, otherwise when the next may follow. */
function getNextDueTime({ state, due_at, leased_until }: LastDelivery, pauseMs: number, now: Date): Date {
  const dueMs = Date.parse(due_at);
  const canJoin = state === 'waiting' && leased_until <= now.toISOString();
  return new Date(canJoin || dueMs > now.getTime() ? dueMs : dueMs + pauseMs);
}

/** Whether the last message came in the quiet hours that have not ended yet. */
const isSameNight = ({ created_at }: LastDelivery, now: Date) =>
  getEndOfQuietHours(now) > now &&
  getEndOfQuietHours(new Date(created_at)).getTime() === getEndOfQuietHours(now).getTime();

/** Returns 07:00 in the parks if it is between 21:00 and 07:00 there, otherwise the given time. */
export function getEndOfQuietHours(now: Date): Date {
  const [time, today] = [getTimeNow(now), getToday(now)];
  const { from, to } = quietHours;
  if (time >= to && time < from) return now;
  return new Date(getParkInstant(time >= from ? getNextDay(today) : today, to, 'first'));
}

/** Deletes what users were sent about these records, which has their titles; call it when the records are removed. */
export async function deleteMessagesAbout(db: Database, recordIds: string[]): Promise<void> {
  if (recordIds.length === 0) return;
  const deliveries = db.selectFrom('deliveries').select('id').where('thing_id', 'in', recordIds);
  await db.deleteFrom('delivery_attempts').where('delivery_id', 'in', deliveries).execute();
  await db.deleteFrom('deliveries').where('thing_id', 'in', recordIds).execute();
  await db.deleteFrom('notifications').where('thing_id', 'in', recordIds).execute();
}
