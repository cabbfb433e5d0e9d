import type { Delivery, Notification, NotificationChannel, NotificationKind } from '#shared/notifications.ts';
import { prepare } from '../db/prepared.ts';
import type { Database } from '../db/schema.ts';
import { getIds } from '../ids.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { canSee, getVisibleKindsAndParks } from './visible.ts';

type Viewer = Pick<SignedInUser, 'id' | 'role' | 'parks'>;

const selectVisible = (db: Database, user: Viewer) => {
  const { kinds, parks } = getVisibleKindsAndParks(user);
  return db
    .selectFrom('notifications')
    .where('user_id', '=', user.id)
    .where('kind', 'in', kinds)
    .$if(parks !== undefined, (qb) => qb.where('park', 'in', parks ?? []));
};

/** Returns notifications, newest first. */
export async function listNotifications(
  db: Database,
  user: Viewer,
  { before, limit = 50 }: { before?: string | undefined; limit?: number | undefined },
): Promise<Notification[]> {
  const last = before
    ? await selectVisible(db, user).select('position').where('id', '=', before).executeTakeFirst()
    : undefined;
  if (before && !last) return [];
  const rows = await selectVisible(db, user)
    .selectAll()
    .$if(last !== undefined, (qb) => qb.where('position', '<', last?.position ?? 0))
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  if (rows.length === 0) return [];
  const events = rows.map(({ event }) => event);
  const deliveries = Map.groupBy(
    await readDeliveries(db, user, (qb) => qb.where('user_id', '=', user.id).where('event', 'in', events)),
    ({ event }) => event,
  );
  return rows.map(({ words, event, ...row }) => ({
    ...row,
    text: words,
    deliveries: (deliveries.get(event) ?? []).map(({ event: _, ...delivery }) => delivery),
  }));
}

const selectUnread = prepare((db, { id }: { id: string }) =>
  db
    .selectFrom('notifications')
    .select(['kind', 'park'])
    .where('user_id', '=', id)
    .where('read_at', 'is', null)
    .limit(1000),
);

/**
 * Returns the number of unread notifications. A prepared query, because every open screen requests
 * it repeatedly.
 */
export async function countUnread(db: Database, user: Viewer): Promise<number> {
  const rows = await selectUnread(db, { id: user.id });
  return rows.filter((row) => canSee(user, row)).length;
}

/** Marks one notification as read, or all. Returns false if the user has no notification with this id. */
export async function markRead(db: Database, user: Viewer, id: string | undefined, now: Date): Promise<boolean> {
  const visible = selectVisible(db, user)
    .select('id')
    .$if(id !== undefined, (qb) => qb.where('id', '=', id ?? ''));
  if (id !== undefined && !(await visible.executeTakeFirst())) return false;
  await db
    .updateTable('notifications')
    .set({ read_at: now.toISOString() })
    .where('id', 'in', visible)
    .where('read_at', 'is', null)
    .execute();
  return true;
}

/** Returns the id of a user's unread notification of this kind about one record. */
export const findUnread = async (db: Database, userId: string, kind: NotificationKind, thingId: string) =>
  (
    await db
      .selectFrom('notifications')
      .select('id')
      .where('user_id', '=', userId)
      .where('read_at', 'is', null)
      .where('kind', '=', kind)
      .where('thing_id', '=', thingId)
      .executeTakeFirst()
  )?.id;

const selectDeliveries = (db: Database) =>
  db
    .selectFrom('deliveries')
    .select(['id', 'event', 'user_name as to', 'channel', 'state', 'attempts'])
    .orderBy('position')
    .orderBy('user_name')
    .orderBy('channel')
    .limit(500);

type FilterQuery = (query: ReturnType<typeof selectDeliveries>) => ReturnType<typeof selectDeliveries>;

async function readDeliveries(
  db: Database,
  { role }: Pick<Viewer, 'role'>,
  filter: FilterQuery,
): Promise<(Delivery & { event: string })[]> {
  const rows = await filter(selectDeliveries(db)).execute();
  if (rows.length === 0) return [];
  const attempts = await db
    .selectFrom('delivery_attempts')
    .select(['delivery_id', 'at', 'answer'])
    .where('delivery_id', 'in', getIds(rows))
    .orderBy('at')
    .execute();
  const last = new Map(attempts.map((row) => [row.delivery_id, row]));
  // A response may name the mail server and its settings, so staff see only why nothing was sent: our own text.
  const isShown = (state: string) => role !== 'None' || state === 'dropped';
  return rows.map(({ id, ...row }) => ({
    ...row,
    at: last.get(id)?.at ?? null,
    answer: isShown(row.state) ? (last.get(id)?.answer ?? '') : '',
  }));
}

/** Returns the emails and push messages about a record, sent or not. */
export async function listRecordDeliveries(
  db: Database,
  user: Pick<Viewer, 'role'>,
  thingId: string,
): Promise<Delivery[]> {
  return readDeliveries(db, user, (qb) => qb.where('thing_id', '=', thingId));
}

export const listSwitchedOff = (db: Database, userId: string) =>
  db.selectFrom('notifications_off').select(['kind', 'channel']).where('user_id', '=', userId).execute();

export async function replaceSwitchedOff(
  db: Database,
  user_id: string,
  off: { kind: NotificationKind; channel: NotificationChannel }[],
): Promise<void> {
  await db.deleteFrom('notifications_off').where('user_id', '=', user_id).execute();
  if (off.length > 0)
    await db
      .insertInto('notifications_off')
      .values(off.map((row) => ({ ...row, user_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

/** Returns since when all emails have failed; null if the last one succeeded. */
export async function findEmailFailure(db: Database, now: Date): Promise<string | null> {
  const select = (is_accepted: 0 | 1) =>
    db
      .selectFrom('delivery_attempts')
      .select('at')
      .where('channel', '=', 'email')
      .where('is_accepted', '=', is_accepted)
      .where('at', '<=', now.toISOString());
  const accepted = await select(1).orderBy('at', 'desc').limit(1).executeTakeFirst();
  const failed = await select(0)
    .where('at', '>', accepted?.at ?? '')
    .where('delivery_id', 'in', (eb) =>
      eb.selectFrom('deliveries').select('id').where('state', 'in', ['waiting', 'failed']),
    )
    .orderBy('at')
    .limit(1)
    .executeTakeFirst();
  return failed?.at ?? null;
}

const keptDays = 90;

/**
 * Deletes notifications older than 90 days, and deliveries of that age that are not about a record.
 */
export async function deleteOldNotifications(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - keptDays * 24 * 60 * 60_000).toISOString();
  await db.deleteFrom('notifications').where('created_at', '<', before).execute();
  const oldDeliveries = db
    .selectFrom('deliveries')
    .select('id')
    .where('created_at', '<', before)
    .where('thing_id', '=', '');
  await db.deleteFrom('delivery_attempts').where('delivery_id', 'in', oldDeliveries).execute();
  await db.deleteFrom('deliveries').where('created_at', '<', before).where('thing_id', '=', '').execute();
}
