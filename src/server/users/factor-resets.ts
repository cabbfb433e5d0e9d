// Removes the second factors of a user who has lost them.
import { type LogActivity, toUserLogFields } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { saltText } from '../hash.ts';
import { newId } from '../ids.ts';
import { deleteSecondFactors, notifyUser } from '../sign-in/factors/second-factors.ts';
import { notifyAdminsOfChange, tellAdmin } from './access-notices.ts';
import type { UserRow } from './store.ts';

type Reset = {
  target: UserRow;
  /** The reviewer who does it, and how they made sure who the user is; undefined if an operator does it by command. */
  by?: { id: string; username: string; reason: string };
  now: Date;
  logActivity: LogActivity;
};

/** The caller sets a new one-time password in the same transaction. Notifies the user, and all other Admins. */
export async function resetSecondFactors(db: Database, { target, by, now, logActivity }: Reset): Promise<void> {
  const { hash, salt } = saltText(by?.reason ?? '');
  await deleteSecondFactors(db, target.id);
  if (by)
    await db
      .insertInto('factor_resets')
      .values({
        ...{ id: newId(), user_id: target.id, reason: by.reason, reason_salt: salt },
        ...{ created_at: now.toISOString(), created_by: by.id, created_by_name: by.username },
      })
      .execute();
  logActivity({
    ...{ action: 'removed the second factor of', ...toUserLogFields(target) },
    ...(by && { changes: { reason: hash } }),
  });
  await notifyUser(db, now, target.id, `Your second factor was removed. ${tellAdmin}`);
  await notifyAdminsOfChange(db, now, { what: 'factor', parks: null, except: [target.id, by?.id] });
}
