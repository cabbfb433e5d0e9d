// Deleted items can be restored for 30 days, then they are removed for good. Each kind of record says what else
// its restoring needs.
import type { Viewer } from '#shared/access.ts';
import type { Deletion, EntityType } from '#shared/activity.ts';
import type { RecordKindName } from '#shared/record-kinds.ts';
import type { Config } from '../config.ts';
import { serverActor } from '../db/activity-log.ts';
import { deleteRepliesOf } from '../db/idempotency.ts';
import { arePurgesPaused } from '../db/purge-pause.ts';
import type { Database } from '../db/schema.ts';
import { writeTransaction } from '../db/write-transaction.ts';
import { startSlices } from '../event-loop.ts';
import { getFilePath } from '../files/upload-path.ts';
import type { Services } from '../http/handler-context.ts';
import { everyParkViewer } from '../names/user-names.ts';
import { expirePacksWith } from '../packs/store.ts';
import { findKind, kindEntries, listPackItems } from '../records/kinds.ts';
import { removeDeleted } from '../records/remove.ts';
import { restoreRecord } from '../records/restore.ts';
import { findHolds, findRetention } from '../retention/kept-until.ts';
import {
  type DeletionRow,
  deleteDeletion,
  findDeletion,
  listDeletions,
  listExpiredDeletions,
} from './bin/deletions.ts';

const deletable = kindEntries.flatMap(([name, { bin }]) => (bin ? [name as string] : []));
/** Checklists are kept, because submissions refer to them. */
const purgeable = deletable.filter((name) => !findKind(name)?.bin?.isNeverPurged);

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
  const rows = await listDeletions(db, viewer, deletable, getRestoreLimit(now));
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
  if (!deletion || deletion.deleted_at <= getRestoreLimit(now)) return undefined;
  await restoreRecord(db, deletion.thing as RecordKindName, id, now);
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
      // Skip an item that was restored, or whose legal period was extended, while this transaction
      // waited.
      if (!row || (await findReasonsToKeep(db, config, [row], now)).has(row)) return undefined;
      const thing = row.thing as RecordKindName;
      // Expire packs before the row is deleted, because they are found by the submission's park.
      const packs = await expirePacksWith(db, await listPackItems(db, thing, row.thing_id));
      const paths = [...(await removeDeleted(db, thing, id)), ...packs];
      await deleteRepliesOf(db, packs);
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
