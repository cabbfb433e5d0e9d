// Audits in the database. Every query includes what the user may see of the audit's folder.
import { sql } from 'kysely';
import type { Viewer } from '#shared/access.ts';
import type { ListedAudit } from '#shared/audits.ts';
import type { Database, Tables } from '../db/schema.ts';
import { listAttached, toMediaFile } from '../uploads/store.ts';
import { isInScope } from './scope.ts';
import { parseData, serializeData } from './stored-data.ts';

/** An audit with its folder. */
export type FoundAudit = ListedAudit & { folder: { name: string; park: string } };

/** The fields of an audit that can be changed. */
export type AuditFields = Omit<ListedAudit, 'id' | 'folder_id' | 'created_at' | 'version' | 'parse_error'>;

const selectAudits = (db: Database, person: Viewer) =>
  db
    .selectFrom('audits')
    .innerJoin('folders', 'folders.id', 'audits.folder_id')
    .selectAll('audits')
    .where('audits.deletion_id', 'is', null)
    .where(isInScope(person));

/** Returns the audits of a folder, newest first. */
export async function listAudits(db: Database, person: Viewer, folderId: string): Promise<ListedAudit[]> {
  const rows = await selectAudits(db, person)
    .where('audits.folder_id', '=', folderId)
    .orderBy('audits.created_at', 'desc')
    .orderBy('audits.id', 'desc')
    .execute();
  return parseRows(db, rows);
}

export async function findAudit(db: Database, person: Viewer, id: string): Promise<FoundAudit | undefined> {
  const row = await selectAudits(db, person)
    .select(['folders.name as folder_name', 'folders.park as folder_park'])
    .where('audits.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const [audit] = await parseRows(db, [row]);
  return audit && { ...audit, folder: { name: row.folder_name, park: row.folder_park } };
}

/** Every audit that the person sees, oldest first, a page at a time. */
export async function* readAuditPages(db: Database, person: Viewer): AsyncGenerator<FoundAudit[]> {
  const size = 500;
  let after = '';
  for (;;) {
    const rows = await selectAudits(db, person)
      .select(['folders.name as folder_name', 'folders.park as folder_park'])
      .where(sql<string>`audits.created_at || ' ' || audits.id`, '>', after)
      .orderBy('audits.created_at')
      .orderBy('audits.id')
      .limit(size)
      .execute();
    const audits = await parseRows(db, rows);
    yield audits.map((audit, at) => ({
      ...audit,
      folder: { name: rows[at]?.folder_name ?? '', park: rows[at]?.folder_park ?? '' },
    }));
    const last = rows.at(-1);
    if (!last || rows.length < size) return;
    after = `${last.created_at} ${last.id}`;
    await new Promise(setImmediate);
  }
}

/** Rebuilds an unreadable list of photos from the uploads attached to the audit. */
async function parseRows(db: Database, rows: Tables['audits'][]): Promise<ListedAudit[]> {
  const read = rows.map((row) => ({ row, ...parseData(row.data) }));
  const damaged = read.filter(({ isWhole }) => !isWhole).map(({ row }) => row.id);
  const recovered = Map.groupBy(await listAttached(db, 'audit', damaged), (upload) => upload.attached_id);
  return read.map(({ row, data, isWhole }) => ({
    id: row.id,
    folder_id: row.folder_id,
    title: row.title,
    created_at: row.created_at,
    version: row.version,
    date: row.date,
    time: row.time,
    is_urgent: row.is_urgent === 1,
    completed: row.completed === 1,
    completed_by: row.completed_by,
    completed_at: row.completed_at,
    captured_at: row.captured_at,
    ...data,
    ...(!isWhole && {
      parse_error: true as const,
      media_files: (recovered.get(row.id) ?? []).map((upload) => toMediaFile(upload, '')),
    }),
  }));
}

const toColumns = (fields: AuditFields) => ({
  title: fields.title,
  date: fields.date,
  time: fields.time,
  is_urgent: fields.is_urgent ? (1 as const) : (0 as const),
  completed: fields.completed ? (1 as const) : (0 as const),
  completed_by: fields.completed_by,
  completed_at: fields.completed_at,
  captured_at: fields.captured_at ?? null,
  data: serializeData(fields),
});

type NewAudit = AuditFields & { id: string; folder_id: string; by: { id: string }; now: Date };

export async function insertAudit(db: Database, { id, folder_id, by, now, ...fields }: NewAudit): Promise<void> {
  await db
    .insertInto('audits')
    .values({
      ...toColumns(fields),
      id,
      folder_id,
      version: 1,
      created_at: now.toISOString(),
      created_by: by.id,
      deletion_id: null,
    })
    .execute();
}

/** Updates an audit that is not completed and still at this version; returns whether it was. */
export async function updateAudit(db: Database, id: string, version: number, fields: AuditFields): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('audits')
    .set({ ...toColumns(fields), version: version + 1 })
    .where('id', '=', id)
    .where('completed', '=', 0)
    .where('version', '=', version)
    .where('deletion_id', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
