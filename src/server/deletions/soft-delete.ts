// Deleted items can be restored for 30 days. Each feature knows how to restore and purge its
// records.
import type { Viewer } from '#shared/access.ts';
import type { Deletion, EntityType } from '#shared/activity.ts';
import { purgeAudit, purgeFolder, restoreAudit, restoreFolder } from '../audits/soft-delete.ts';
import { purgeSubmission, restoreChecklist, restoreSubmission } from '../checklists/soft-delete.ts';
import type { Config } from '../config.ts';
import { serverActor } from '../db/activity-log.ts';
import {
  type DeletionRow,
  deleteDeletion,
  findDeletion,
  listDeletions,
  listExpiredDeletions,
} from '../db/deletions.ts';
import { deleteRepliesOf } from '../db/idempotency.ts';
import { deleteLinksOf } from '../db/place-links.ts';
import { arePurgesPaused } from '../db/purge-pause.ts';
import { markTraces } from '../db/remove-traces.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { startSlices } from '../event-loop.ts';
import { getFilePath } from '../files/upload-path.ts';
import type { Services } from '../http/handler-context.ts';
import { purgeInvestigation, restoreInvestigation } from '../investigations/soft-delete.ts';
import { deleteDeliveriesOf } from '../notifications/notify.ts';
import { expirePacksWith } from '../packs/store.ts';
import { findHolds, findRetention } from '../people/retention/kept-until.ts';
import { everyParkViewer } from '../people/search/gather.ts';
import { purgeReport, restoreReport } from '../reports/soft-delete.ts';
import { deleteAttached, type UploadOwner } from '../uploads/store.ts';

type SoftDeletable = {
  /**
   * Restores everything this deletion covers. Throws 409 if what contains it, such as its folder, is
   * deleted.
   */
  restore(db: Database, deletionId: string, now: Date): Promise<void>;
  /**
   * Permanently deletes the rows and returns the records that may have uploads. Missing for checklists,
   * which are kept because submissions refer to them.
   */
  purge?(db: Database, deletionId: string): Promise<UploadOwner[]>;
};

const softDeletables: { [T in EntityType]?: SoftDeletable } = {
  report: { restore: restoreReport, purge: purgeReport },
  checklist: { restore: restoreChecklist },
  submission: { restore: restoreSubmission, purge: purgeSubmission },
  folder: { restore: restoreFolder, purge: purgeFolder },
  audit: { restore: restoreAudit, purge: purgeAudit },
  investigation: { restore: restoreInvestigation, purge: purgeInvestigation },
};
const getSoftDeletable = (thing: string): SoftDeletable | undefined => softDeletables[thing as EntityType];

const purgeable = Object.keys(softDeletables).filter((thing) => getSoftDeletable(thing)?.purge);

type ReasonToKeep = { until: string | null; isHeld: boolean };

/** Returns why items are kept longer than 30 days; the others may be permanently deleted. */
async function findReasonsToKeep(
  db: Database,
  { retention }: Config,
  rows: DeletionRow[],
  now: Date,
): Promise<Map<DeletionRow, ReasonToKeep>> {
  const purgeableRows = rows.filter(({ thing }) => purgeable.includes(thing));
  const holds = await findHolds(
    db,
    purgeableRows.map(({ thing, thing_id }) => ({ thing, id: thing_id })),
  );
  const reasons = new Map<DeletionRow, ReasonToKeep>();
  const waitForSlice = startSlices();
  for (const row of purgeableRows) {
    await waitForSlice();
    const hold = holds.get(row.thing_id) ?? null;
    const heldReason = hold ? { until: null, isHeld: true } : undefined;
    const reason = row.thing === 'report' ? await findRetention(db, retention, row, now, hold) : heldReason;
    if (reason) reasons.set(row, reason);
  }
  return reasons;
}

const restorePeriodMs = 30 * 24 * 60 * 60 * 1000;
const getRestoreLimit = (now: Date) => new Date(now.getTime() - restorePeriodMs).toISOString();

/**
 * Returns items that can be restored, and for an Admin also those kept longer, newest first.
 */
export async function listDeleted(db: Database, config: Config, viewer: Viewer, now: Date): Promise<Deletion[]> {
  const rows = await listDeletions(db, viewer, Object.keys(softDeletables), getRestoreLimit(now));
  const kept = viewer.role === 'Admin' ? await listExpiredDeletions(db, purgeable, getRestoreLimit(now), viewer) : [];
  const reasons = await findReasonsToKeep(db, config, [...rows, ...kept], now);
  return [...rows, ...kept.filter((row) => reasons.has(row))].map((row) => ({
    id: row.id,
    thing: row.thing,
    label: row.label,
    deleted_at: row.deleted_at,
    deleted_by: row.deleted_by_name,
    restorable_until: new Date(Date.parse(row.deleted_at) + restorePeriodMs).toISOString(),
    kept_until: reasons.get(row)?.until ?? null,
    isHeld: reasons.get(row)?.isHeld ?? false,
    reason: viewer.role === 'Admin' ? row.reason : null,
  }));
}

/**
 * Restores an item, inside a transaction. Returns its deletion, or undefined if this user has no
 * such item.
 */
export async function restoreDeleted(
  db: Database,
  viewer: Viewer,
  id: string,
  now: Date,
): Promise<DeletionRow | undefined> {
  const deletion = await findDeletion(db, viewer, id);
  const softDeletable = deletion && getSoftDeletable(deletion.thing);
  if (!softDeletable || deletion.deleted_at <= getRestoreLimit(now)) return undefined;
  await softDeletable.restore(db, id, now);
  await deleteDeletion(db, id);
  return deletion;
}

/**
 * Permanently deletes items that were deleted 30 days ago: rows, then files. Returns the number of
 * items.
 */
export async function purgeDeleted({
  db,
  config,
  files,
  clock,
}: Pick<Services, 'db' | 'config' | 'files' | 'clock'>): Promise<number> {
  const now = clock();
  const expired = await listExpiredDeletions(db, purgeable, getRestoreLimit(now), everyParkViewer);
  let purged = 0;
  const kept = await findReasonsToKeep(db, config, expired, now);
  for (const { id } of expired.filter((row) => !kept.has(row))) {
    const paths = await writeTransaction(db, serverActor, now, async (db, logActivity) => {
      if (await arePurgesPaused(db, now)) return undefined;
      const row = await findDeletion(db, everyParkViewer, id);
      const softDeletable = row && getSoftDeletable(row.thing);
      // Skip an item that was restored, or whose legal period was extended, while this transaction
      // waited.
      if (!softDeletable?.purge || !row || (await findReasonsToKeep(db, config, [row], now)).has(row)) return undefined;
      // Expire packs before the row is deleted, because they are found by the submission's park.
      const packs = await expirePacksWith(db, [{ thing: row.thing, id: row.thing_id }]);
      const records = await softDeletable.purge(db, id);
      packs.push(
        ...(await expirePacksWith(
          db,
          records.map(({ attached_to, attached_id }) => ({ thing: attached_to, id: attached_id })),
        )),
      );
      const paths = [...(await deleteAttached(db, records)), ...packs];
      await deleteRepliesOf(db, [row.thing_id, ...records.map((record) => record.attached_id), ...paths]);
      await deleteDeliveriesOf(db, [row.thing_id, ...records.map((record) => record.attached_id)]);
      await deleteLinksOf(db, [row.thing_id, ...records.map((record) => record.attached_id)]);
      await deleteDeletion(db, id);
      await markTraces(db);
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
