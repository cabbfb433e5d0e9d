// Rules for managing users: only users of a lower rank (Admins also Admins), and managers give only parks of
// their own. One Admin of all parks must remain who can sign in without the provider. Nobody deletes
// themselves or changes their own role or password here (handlers.ts).
import { canGiveParks, canManage, isAdminOfAllParks, type Parks, type Role, type Viewer } from '#shared/access.ts';
import { type LogActivity, toUserLogFields } from '../db/activity-log.ts';
import { diffFields } from '../db/diff-fields.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { removeUserSubscriptions } from '../notifications/push.ts';
import { deletePin } from '../sign-in/devices/pins.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { countLocalAdmins, findUser, hasAdminOfAllParks, type UserRow, updateAssignment } from './store.ts';

/** Throws unless `actor` may manage users of these roles and parks. */
export async function assertCanManage(db: Database, actor: Viewer, ...targets: Viewer[]): Promise<void> {
  const target = targets.find((target) => !canManage(actor, target));
  if (!target) return;
  if (actor.role !== 'Admin') throw new HttpError(403, 'Only an Admin can do this to a user with this role');
  // Databases of earlier versions may have no Admin of all parks; any Admin can then become one.
  if (await hasAdminOfAllParks(db))
    throw new HttpError(403, 'Only an Admin of all parks can do this to an Admin of all parks');
}

/** Throws unless `actor` may give a user these parks instead of those before. */
export function assertCanGiveParks(actor: Viewer, before: Parks, after: Parks): void {
  if (canGiveParks(actor, before, after)) return;
  throw new HttpError(403, ownParksMessage, { fields: { park: ownParksMessage } });
}

export const ownParksMessage = 'You can only add and remove parks of your own';

/** Throws unless an Admin sets the email address, because only Admins can see it. */
export function assertMaySetEmail(actor: { role: Role }, email: string | undefined): void {
  if (!email || actor.role === 'Admin') return;
  const message = 'Only an Admin can set an email address';
  throw new HttpError(403, message, { fields: { email: message } });
}

/**
 * Returns the acting user as of this transaction, who may have been deleted or demoted since the
 * request arrived.
 */
export async function findActor(db: Database, user: SignedInUser): Promise<UserRow> {
  const actor = await findUser(db, user.id);
  if (!actor) throw new HttpError(401, 'Please sign in');
  return actor;
}

/**
 * Throws if no other Admin of all parks can sign in without the provider. Race-free only inside a write
 * transaction.
 */
export async function assertNotLastAdmin(db: Database, target: UserRow): Promise<void> {
  if (await isLastLocalAdmin(db, target))
    throw new HttpError(409, 'At least one Admin of all parks must remain', { code: 'LAST_ADMIN' });
}

/** Whether the user is an Admin of all parks, and no other one can sign in without the provider. */
export const isLastLocalAdmin = async (db: Database, target: UserRow): Promise<boolean> =>
  isAdminOfAllParks(target) && (await countLocalAdmins(db, target.id)) === 0;

/** Gives a user a role and parks. Deletes the PIN if the role changes, and push subscriptions if anything does. */
export async function changeAssignment(
  db: Database,
  target: UserRow,
  assigned: Viewer,
  logActivity: LogActivity,
): Promise<void> {
  await updateAssignment(db, target.id, assigned);
  const changes = diffFields(getAssignment(target), getAssignment(assigned));
  if (assigned.role !== target.role) await deletePin(db, target.id);
  if (Object.keys(changes).length === 0) return;
  await removeUserSubscriptions(db, target.id);
  logActivity({ action: 'changed', ...toUserLogFields(target), changes });
}

/** Role and parks as the log shows them. */
export const getAssignment = ({ role, parks }: Viewer) => ({ role, park: parks?.join(', ') ?? '' });
