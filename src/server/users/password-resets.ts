// Sets a one-time password for a user, by a reviewer or in the server's terminal.
import { type LogActivity, toUserLogFields } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { removeUserSubscriptions } from '../notifications/push.ts';
import { deletePin } from '../sign-in/devices/pins.ts';
import { deleteUserSessions } from '../sign-in/session/session.ts';
import { deleteFailures } from '../sign-in/throttle/sign-in-throttle.ts';
import { deleteEmailChanges } from './email-changes.ts';
import { type UserRow, updatePassword } from './store.ts';

type OneTimePassword = { target: UserRow; passwordHash: string; logActivity: LogActivity };

/**
 * Stores the password, and removes what someone else could have set up with the earlier one: sessions, PIN, push
 * subscriptions, and a link to a new email address that was not opened yet.
 */
export async function setOneTimePassword(
  db: Database,
  { target, passwordHash, logActivity }: OneTimePassword,
): Promise<void> {
  await updatePassword(db, target.id, passwordHash, true);
  await deletePin(db, target.id);
  await deleteUserSessions(db, target.id);
  await removeUserSubscriptions(db, target.id);
  await deleteFailures(db, target);
  await deleteEmailChanges(db, target.id);
  logActivity({ action: 'set a new password for', ...toUserLogFields(target) });
}
