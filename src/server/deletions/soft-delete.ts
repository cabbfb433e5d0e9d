// Deleted items can be restored for 30 days. Each feature knows how to restore and purge its
// records.
import type { Viewer } from '#shared/access.ts';
import type { Deletion, EntityType } from '#shared/activity.ts';
import { purgeAudit, purgeFolder, restoreAudit, restoreFolder } from '../audits/soft-delete.ts';
import { purgeSubmission, restoreSubmission } from '../checklists/soft-delete.ts';
import { serverActor } from '../db/activity-log.ts';
import {
  type DeletionRow,
  deleteDeletion,
  findDeletion,
  listDeletions,
  listExpiredDeletions,
} from '../db/deletions.ts';
import { deleteRepliesOf } from '../db/idempotency.ts';
import { arePurgesPaused } from '../db/purge-pause.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { getFilePath } from '../files/upload-path.ts';
import type { Services } from '../http/handler-context.ts';
import { purgeReport, restoreReport } from '../reports/soft-delete.ts';
import { deleteAttached, type Owner } from '../uploads/store.ts';

type SoftDeletable = {
  /** Restores everything this deletion covers. Throws 409 if its container is deleted. */
  restore(db: Database, deletionId: string): Promise<void>;
  /** Permanently deletes the rows; returns the owners of their uploads. */
  purge(db: Database, deletionId: string): Promise<Owner[]>;
};

/** Checklists are missing: they are never restored or purged, because submissions refer to them. */
const softDeletables: { [T in EntityType]?: SoftDeletable } = {
  report: { restore: restoreReport, purge: purgeReport },
  submission: { restore: restoreSubmission, purge: purgeSubmission },
  folder: { restore: restoreFolder, purge: purgeFolder },
  audit: { restore: restoreAudit, purge: purgeAudit },
};
const getSoftDeletable = (thing: string): SoftDeletable | undefined => softDeletables[thing as EntityType];

const restorePeriodMs = 30 * 24 * 60 * 60 * 1000;
const getRestoreLimit = (now: Date) => new Date(now.getTime() - restorePeriodMs).toISOString();

/** Returns what the user may restore now, newest first. */
export async function listDeleted(db: Database, person: Viewer, now: Date): Promise<Deletion[]> {
  const rows = await listDeletions(db, person, Object.keys(softDeletables), getRestoreLimit(now));
  return rows.map((row) => ({
    id: row.id,
    thing: row.thing,
    label: row.label,
    deleted_at: row.deleted_at,
    deleted_by: row.deleted_by_name,
    restorable_until: new Date(Date.parse(row.deleted_at) + restorePeriodMs).toISOString(),
  }));
}

/**
 * Restores an item, inside a transaction. Returns its deletion, or undefined if this user has no
 * such item.
 */
export async function restoreDeleted(
  db: Database,
  person: Viewer,
  id: string,
  now: Date,
): Promise<DeletionRow | undefined> {
  const found = await findDeletion(db, person, id);
  const softDeletable = found && getSoftDeletable(found.thing);
  if (!softDeletable || found.deleted_at <= getRestoreLimit(now)) return undefined;
  await softDeletable.restore(db, id);
  await deleteDeletion(db, id);
  return found;
}

/**
 * Permanently deletes what was deleted 30 days ago: rows, then files. Returns the number of items.
 */
export async function purgeDeleted({ db, files, clock }: Pick<Services, 'db' | 'files' | 'clock'>): Promise<number> {
  const now = clock();
  const expired = await listExpiredDeletions(db, Object.keys(softDeletables), getRestoreLimit(now));
  let purged = 0;
  for (const { id } of expired) {
    const paths = await writeTransaction(db, serverActor, now, async (db, logActivity) => {
      if (await arePurgesPaused(db, now)) return undefined;
      const row = await findDeletion(db, { role: 'Admin', park: '' }, id);
      const softDeletable = row && getSoftDeletable(row.thing);
      // It was restored while this waited for its turn.
      if (!softDeletable || !row) return undefined;
      const owners = await softDeletable.purge(db, id);
      const paths = await deleteAttached(db, owners);
      await deleteRepliesOf(db, [row.thing_id, ...owners.map((owner) => owner.attached_id), ...paths]);
      await deleteDeletion(db, id);
      logActivity({
        action: 'removed for good',
        thing: row.thing as EntityType,
        thing_id: row.thing_id,
        label: row.label,
      });
      return paths;
    });
    // A crash here leaves orphaned files, which the cleanup of unused uploads deletes.
    for (const path of paths ?? []) await files.remove(getFilePath(path));
    if (paths) purged += 1;
  }
  return purged;
}
