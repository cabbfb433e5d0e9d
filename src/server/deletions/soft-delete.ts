// The bin: what was deleted waits here for 30 days. What a thing is made of, and how it comes back or goes for good, its own feature knows.
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
  /** Brings back what the deletion took, whole. Refuses with 409 when it would have no place to go to. */
  restore(db: Database, deletionId: string): Promise<void>;
  /** Removes the rows for good and gives what they held files as. */
  purge(db: Database, deletionId: string): Promise<Owner[]>;
};

/** A deleted checklist is not among them: it is not brought back, and stays for what was submitted of it. Its deletion marks it for good. */
const softDeletables: { [T in EntityType]?: SoftDeletable } = {
  report: { restore: restoreReport, purge: purgeReport },
  submission: { restore: restoreSubmission, purge: purgeSubmission },
  folder: { restore: restoreFolder, purge: purgeFolder },
  audit: { restore: restoreAudit, purge: purgeAudit },
};
const getSoftDeletable = (thing: string): SoftDeletable | undefined => softDeletables[thing as EntityType];

const restorePeriodMs = 30 * 24 * 60 * 60 * 1000;
const getRestoreLimit = (now: Date) => new Date(now.getTime() - restorePeriodMs).toISOString();

/** What the person may bring back now, the latest first. */
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

/** Takes something out of the bin again, inside a change. Gives what it was, or nothing when there is no such thing for this person. */
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

/** Removes for good what has been in the bin for 30 days: its rows, and once they are gone its files. Gives how many things. */
export async function purgeDeleted({ db, files, clock }: Pick<Services, 'db' | 'files' | 'clock'>): Promise<number> {
  const now = clock();
  const expired = await listExpiredDeletions(db, Object.keys(softDeletables), getRestoreLimit(now));
  let purged = 0;
  for (const { id } of expired) {
    const paths = await writeTransaction(db, serverActor, now, async (db, logActivity) => {
      if (await arePurgesPaused(db, now)) return undefined;
      const row = await findDeletion(db, { role: 'Admin', park: '' }, id);
      const softDeletable = row && getSoftDeletable(row.thing);
      // Brought back while this was waiting for its turn.
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
    // A crash in between leaves files that nothing names: the sweep finds them.
    for (const path of paths ?? []) await files.remove(getFilePath(path));
    if (paths) purged += 1;
  }
  return purged;
}
