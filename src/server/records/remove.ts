// Removes records for good: their rows, what belongs to them, and what is contained in them.
import { sql } from 'kysely';
import type { RecordKindName } from '#shared/record-kinds.ts';
import { deleteRepliesOf, deleteRepliesToChanges } from '../db/idempotency.ts';
import { markTraces } from '../db/remove-traces.ts';
import type { Database } from '../db/schema.ts';
import { deleteMessagesAbout } from '../notifications/notify.ts';
import { deleteLinksOf } from '../places/links/place-links.ts';
import type { Table } from '../record-kind.ts';
import { deleteAttached, type UploadOwner } from '../uploads/store.ts';
import { kinds } from './kinds.ts';

/**
 * Removes records of one kind, inside a write transaction, with their uploads and what was sent about them. Returns
 * the paths of files to delete after the commit.
 */
export async function removeRecords(db: Database, name: RecordKindName, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const paths = await removeRows(db, name, ids);
  await deleteRepliesToChanges(db);
  // What they contain and was deleted before stays in the list of deleted items, until it is removed from there and logged.
  const deletions = db.selectFrom('deletions').select('id').where('thing_id', 'in', ids);
  await db.deleteFrom('releases').where('deletion_id', 'in', deletions).execute();
  await db.deleteFrom('deletions').where('thing_id', 'in', ids).execute();
  await markTraces(db);
  return paths;
}

async function removeRows(db: Database, name: RecordKindName, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { table, children = [], contains, orphans } = kinds[name];
  const paths = contains
    ? await removeRows(db, contains.kind, await listIds(db, kinds[contains.kind].table, contains.of, ids))
    : [];
  const childIds = await listChildIds(db, name, ids);
  const owners = toUploadOwners(name, ids, childIds);
  for (const child of children)
    await deleteRows(db, child.table, child.of, child.through ? (childIds.get(child.through) ?? []) : ids);
  await deleteRows(db, table, 'id', ids);
  await sql`delete from holds where thing = ${name} and thing_id in (${sql.join(ids)})`.execute(db);
  paths.push(...(await deleteAttached(db, owners)));
  const allIds = [...ids, ...[...childIds.values()].flat()];
  await deleteRepliesOf(db, [...allIds, ...paths]);
  await deleteMessagesAbout(db, allIds);
  await deleteLinksOf(db, ids);
  if (orphans) paths.push(...(await removeRows(db, orphans.kind, await orphans.list(db))));
  return paths;
}

/** Removes what this deletion covers, as removeRecords does. A record that was restored in another way stays. */
export const removeDeleted = async (db: Database, name: RecordKindName, deletionId: string): Promise<string[]> =>
  removeRecords(db, name, await listIds(db, kinds[name].table, 'deletion_id', [deletionId]));

/** Returns the records and rows to which the uploads of these records may be attached. */
export const listUploadOwners = async (db: Database, name: RecordKindName, ids: string[]): Promise<UploadOwner[]> =>
  toUploadOwners(name, ids, await listChildIds(db, name, ids));

function toUploadOwners(name: RecordKindName, ids: string[], childIds: Map<Table, string[]>): UploadOwner[] {
  const { uploads, children = [] } = kinds[name];
  return [
    { uploads, ids },
    ...children.map((child) => ({ uploads: child.uploads, ids: childIds.get(child.table) ?? [] })),
  ].flatMap(({ uploads, ids }) => (uploads ? ids.map((id) => ({ attached_to: uploads, attached_id: id })) : []));
}

/** Returns the ids of the rows that belong to these records, by table. */
export async function listChildIds(db: Database, name: RecordKindName, ids: string[]): Promise<Map<Table, string[]>> {
  const childIds = new Map<Table, string[]>();
  for (const { table, of, through, isWithoutId } of kinds[name].children ?? [])
    if (!isWithoutId) childIds.set(table, await listIds(db, table, of, through ? (childIds.get(through) ?? []) : ids));
  return childIds;
}

/** Returns all rows that belong to a record, in a fixed order. */
export async function readChildRows(db: Database, name: RecordKindName, id: string): Promise<string[]> {
  const childIds = await listChildIds(db, name, [id]);
  const texts: string[] = [];
  for (const { table, of, through } of kinds[name].children ?? []) {
    const parents = through ? (childIds.get(through) ?? []) : [id];
    if (parents.length === 0) continue;
    const { rows } =
      await sql`select * from ${sql.table(table)} where ${sql.ref(of)} in (${sql.join(parents)})`.execute(db);
    texts.push(...rows.map((row) => JSON.stringify(row)).sort());
  }
  return texts;
}

async function listIds(db: Database, table: Table, of: string, parents: string[]): Promise<string[]> {
  if (parents.length === 0) return [];
  const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
    where ${sql.ref(of)} in (${sql.join(parents)}) order by id`.execute(db);
  return rows.map(({ id }) => id);
}

async function deleteRows(db: Database, table: Table, column: string, values: string[]): Promise<void> {
  if (values.length > 0)
    await sql`delete from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(values)})`.execute(db);
}
