// Who may do what to whom: nobody acts on their own rank or above (but Admins on Admins), nobody on themselves, and an Admin always remains.
import { canManage, type Role } from '#shared/access.ts';
import type { SignedInUser } from '../auth/session.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { countAdmins, findUser, type UserRow } from './store.ts';

/** Refuses to let `actor` touch somebody of one of these roles. */
export function assertCanManage(actor: { role: Role }, ...touched: Role[]): void {
  if (!touched.every((role) => canManage(actor.role, role)))
    throw new HttpError(403, 'Only an Admin can do this to a user with this role');
}

/** Who is acting, as they are inside the change: between its arrival and its turn they may have been deleted or lowered. */
export async function findActor(db: Database, user: SignedInUser): Promise<UserRow> {
  const actor = await findUser(db, user.id);
  if (!actor) throw new HttpError(401, 'Please sign in');
  return actor;
}

/** Refuses to take the last Admin away. Race-free only inside a change. */
export async function assertNotLastAdmin(db: Database, target: UserRow): Promise<void> {
  if (target.role === 'Admin' && (await countAdmins(db)) <= 1)
    throw new HttpError(409, 'At least one Admin must remain', { code: 'LAST_ADMIN' });
}
