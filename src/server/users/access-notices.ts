// Notices of changes of how a user signs in and what they may see, and of someone who guesses their password: to the
// user, and to the other Admins who see them.
import { canSeeParks, isAdminOfAllParks, type Parks, type Viewer } from '#shared/access.ts';
import type { NotificationKind } from '#shared/notifications.ts';
import { listOpenParks } from '#shared/park-list.ts';
import type { Database } from '../db/schema.ts';
import { notify } from '../notifications/notify.ts';
import { notifyUser } from '../sign-in/factors/second-factors.ts';
import { seesOneOf } from '../user-parks.ts';
import type { UserRow } from './store.ts';

/** Names are in the activity log only. A text is true for several users, because it is sent once a minute. */
const adminTexts = {
  email: 'The email address of one or more users was changed',
  access: 'One or more users became Admin or got all parks',
  password: 'The password of one or more users was reset',
  factor: 'The second factor of one or more users was removed',
  guesses: 'Someone entered 200 wrong passwords for the username of one or more users today',
};

const adminKinds = {
  ...{ email: 'userChanged', access: 'userChanged', password: 'userChanged' },
  ...{ factor: 'factorRemoved', guesses: 'passwordGuessed' },
} as const satisfies Record<keyof typeof adminTexts, NotificationKind>;

type Changed = {
  what: keyof typeof adminTexts;
  /** The parks of the users: Admins who see one of them are notified. */
  parks: Parks;
  /** Users who are not notified: who made the change, and whom it is about. */
  except: (string | undefined)[];
};

/** Notifies the Admins who see these users, each once a minute for each kind of change. */
export async function notifyAdminsOfChange(db: Database, now: Date, { what, parks, except }: Changed): Promise<void> {
  const admins = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'Admin')
    .where('deleted_at', 'is', null)
    .$if(parks !== null, (qb) => qb.where(seesOneOf(parks ?? [])))
    .execute();
  const text = adminTexts[what];
  await notify(db, now, {
    ...{ kind: adminKinds[what], thing: 'user', thing_id: '', park: '' },
    to: { users: admins.map(({ id }) => id).filter((id) => !except.includes(id)) },
    ...{ text, line: text, link: '/admin/activity', isUrgent: what !== 'password' },
    event: `${what} ${now.toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)}`,
  });
}

type ChangedUser = Pick<UserRow, 'id' | 'parks' | 'role'>;
type By = { id: string } | undefined;

/** Notifies a user of their new email address, at the earlier one too, and other Admins. */
export async function notifyOfEmail(
  db: Database,
  now: Date,
  { target, earlier, email, by }: { target: ChangedUser; earlier: string; email: string; by: { id: string } },
): Promise<void> {
  const done = email === '' ? 'removed' : 'changed';
  const text = `Your email address was ${done}. ${tellAdmin}`;
  await notifyUser(db, now, target.id, text, '/notification-settings', earlier);
  // Staff may set their own address without notifying every Admin.
  if (by.id === target.id && target.role === 'None') return;
  await notifyAdminsOfChange(db, now, { what: 'email', parks: target.parks, except: [target.id, by.id] });
}

/** Notifies a user, and other Admins, that the user became Admin or got all parks, if they did. */
export async function notifyOfAccess(
  db: Database,
  now: Date,
  { target, after, by }: { target: ChangedUser; after: Viewer; by: { id: string } },
): Promise<void> {
  if (!widensAccess(target, after)) return;
  const becomesAdmin = after.role === 'Admin' && target.role !== 'Admin';
  const text = becomesAdmin
    ? `You are now an Admin${isAdminOfAllParks(after) ? ' of all parks' : ''}`
    : 'You have all parks now';
  await notifyUser(db, now, target.id, text, '/notifications');
  const parks = target.parks && after.parks && [...target.parks, ...after.parks];
  await notifyAdminsOfChange(db, now, { what: 'access', parks, except: [target.id, by.id] });
}

/** Notifies a user, and other Admins, of a new one-time password. */
export async function notifyOfReset(db: Database, now: Date, target: ChangedUser, by: By): Promise<void> {
  await notifyUser(db, now, target.id, `You have a new one-time password. ${tellAdmin}`, '/sessions');
  await notifyAdminsOfChange(db, now, { what: 'password', parks: target.parks, except: [target.id, by?.id] });
}

/** Notifies a user, and other Admins, that someone guesses the user's password. */
export async function notifyOfGuesses(db: Database, now: Date, target: ChangedUser): Promise<void> {
  const text =
    'Someone entered 200 wrong passwords for your username today. For up to a day you sign in on devices that you have used before, or in another way than by password';
  await notifyUser(db, now, target.id, text, '/sessions');
  await notifyAdminsOfChange(db, now, { what: 'guesses', parks: target.parks, except: [target.id] });
}

export const tellAdmin = 'If you did not ask for it, tell an Admin';

/**
 * Whether a change makes a user an Admin, or gives them all parks, also by naming each. `before` is undefined for a
 * new user.
 */
export function widensAccess(before: Viewer | undefined, after: Viewer): boolean {
  if (after.role === 'Admin' && before?.role !== 'Admin') return true;
  if (after.parks === null) return before?.parks !== null;
  return canSeeParks(after, listOpenParks()) && !(before && canSeeParks(before, listOpenParks()));
}
