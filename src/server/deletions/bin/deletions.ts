import type { ParkViewer } from '#shared/access.ts';
import type { EntityType } from '#shared/activity.ts';
import type { KindWith } from '#shared/record-kinds.ts';
import type { LogActivity } from '../../db/activity-log.ts';
import type { Database, Tables } from '../../db/schema.ts';
import { saltText } from '../../hash.ts';
import { newId } from '../../ids.ts';
import { isOfVisiblePark } from '../../user-parks.ts';

export type DeletionRow = Tables['deletions'];

type OfItsPark = Extract<EntityType, KindWith<'ofItsPark'>>;

export type NewDeletion = {
  thing_id: string;
  label: string;
  by: { id: string; username: string };
  now: Date;
  reason?: string | undefined;
  reason_salt?: string;
  /** Of a kind with `ofItsPark`, a deletion is shown to users who see that park; of others, to all reviewers. */
} & ({ thing: OfItsPark; park: string } | { thing: Exclude<EntityType, OfItsPark> });

/** Inserts a deletion. Everything deleted together carries its id and is restored together. */
export async function insertDeletion(db: Database, { by, now, ...record }: NewDeletion): Promise<string> {
  const id = newId();
  await db
    .insertInto('deletions')
    .values({
      id,
      park: null,
      reason: null,
      reason_salt: null,
      ...record,
      deleted_at: now.toISOString(),
      deleted_by: by.id,
      deleted_by_name: by.username,
    })
    .execute();
  return id;
}

/** Moves a record to the bin, with a reason if one was typed, and logs it. `mark` marks it with the id of the deletion. */
export async function deleteRecord(
  db: Database,
  logActivity: LogActivity,
  { reason: typed = '', ...deletion }: NewDeletion,
  mark: (deletionId: string) => Promise<void>,
): Promise<void> {
  const reason = typed.trim();
  const { salt, hash } = saltText(reason);
  const id = await insertDeletion(db, { ...deletion, ...(reason && { reason, reason_salt: salt }) });
  await mark(id);
  const { thing, thing_id, label } = deletion;
  logActivity({ action: 'deleted', thing, thing_id, label, ...(reason && { changes: { reason: hash } }) });
}

/** Marks a record as deleted, unless it is already. */
export async function markDeleted(
  db: Database,
  table: 'reports' | 'audits' | 'investigations',
  id: string,
  deletion_id: string,
): Promise<void> {
  await db.updateTable(table).set({ deletion_id }).where('id', '=', id).where('deletion_id', 'is', null).execute();
}

const selectVisible = (db: Database, viewer: ParkViewer) =>
  db
    .selectFrom('deletions')
    .selectAll()
    .where((eb) => eb.or([eb('park', 'is', null), isOfVisiblePark('park', viewer)]));

/** Returns the deletions of these types after `since` that the user may see, newest first. */
export async function listDeletions(
  db: Database,
  viewer: ParkViewer,
  things: string[],
  since: string,
): Promise<DeletionRow[]> {
  return selectVisible(db, viewer)
    .where('thing', 'in', things)
    .where('deleted_at', '>', since)
    .orderBy('deleted_at', 'desc')
    .orderBy('id')
    .execute();
}

export const findDeletion = async (db: Database, viewer: ParkViewer, id: string): Promise<DeletionRow | undefined> =>
  selectVisible(db, viewer).where('id', '=', id).executeTakeFirst();

/**
 * Returns deletions older than `before`, oldest first, so that an audit deleted before its folder
 * is purged first.
 */
export async function listExpiredDeletions(
  db: Database,
  things: string[],
  before: string,
  viewer: ParkViewer,
): Promise<DeletionRow[]> {
  return selectVisible(db, viewer)
    .where('thing', 'in', things)
    .where('deleted_at', '<=', before)
    .orderBy('deleted_at')
    .orderBy('id')
    .execute();
}

export async function deleteDeletion(db: Database, id: string): Promise<void> {
  await db.deleteFrom('deletions').where('id', '=', id).execute();
}
