// Notes on audits, in the database. They can be added but not changed.
import type { Viewer } from '#shared/access.ts';
import type { AuditNote } from '#shared/audits.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';
import type { Database } from '../db/schema.ts';
import type { RecordWithUploads } from '../uploads/store.ts';
import { canSeeAudit } from './scope.ts';

/** Returns the notes on an audit, oldest first. */
export async function listNotes(db: Database, auditId: string): Promise<AuditNote[]> {
  const rows = await db
    .selectFrom('audit_notes')
    .select(['id', 'words', 'media_files', 'created_at', 'created_by_name as created_by'])
    .where('audit_id', '=', auditId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ words, media_files, ...row }) => ({
    ...row,
    text: words,
    media_files: JSON.parse(media_files) as StoredMediaFile[],
  }));
}

type NewNote = {
  id: string;
  audit_id: string;
  text: string;
  media_files: StoredMediaFile[];
  by: { id: string; username: string };
  now: Date;
};

export async function insertNote(db: Database, { id, audit_id, text, media_files, by, now }: NewNote): Promise<void> {
  await db
    .insertInto('audit_notes')
    .values({
      id,
      audit_id,
      words: text,
      media_files: JSON.stringify(media_files),
      created_at: now.toISOString(),
      created_by: by.id,
      created_by_name: by.username,
    })
    .execute();
}

export async function canSeeNote(db: Database, viewer: Viewer, id: string): Promise<boolean> {
  const note = await db.selectFrom('audit_notes').select('audit_id').where('id', '=', id).executeTakeFirst();
  return note !== undefined && canSeeAudit(db, viewer, note.audit_id);
}

/** Permanently deletes the notes on these audits; returns the records that may have uploads. */
export async function deleteNotesOf(db: Database, auditIds: string[]): Promise<RecordWithUploads[]> {
  if (auditIds.length === 0) return [];
  const deletedNotes = await db.deleteFrom('audit_notes').where('audit_id', 'in', auditIds).returning('id').execute();
  return deletedNotes.map(({ id }) => ({ attached_to: 'note', attached_id: id }));
}
