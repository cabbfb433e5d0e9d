// Notes on audits, in the database. They change only when a name in them is erased.
import type { Viewer } from '#shared/access.ts';
import type { AuditNote, VerificationOutcome } from '#shared/audits.ts';
import type { LessonAnswer } from '#shared/lessons.ts';
import type { StoredMediaFile } from '#shared/uploads.ts';
import { updateSearchText } from '../db/audit-data.ts';
import { pageSize } from '../db/page-size.ts';
import { countRows, readPages } from '../db/queries.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import { canSeeAudit } from './scope.ts';

const maxNotes = 1000;

/** Yields the notes on an audit, oldest first, page by page. */
export const readNotePages = (db: Database, auditId: string) =>
  readPages<AuditNote>(async (last) => {
    const rows = await db
      .selectFrom('audit_notes')
      .select(['id', 'words', 'media_files', 'created_at', 'created_by_name as created_by'])
      .select(['outcome', 'answer'])
      .where('audit_id', '=', auditId)
      .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(last?.created_at ?? '', last?.id ?? '')))
      .orderBy('created_at')
      .orderBy('id')
      .limit(pageSize)
      .execute();
    return rows.map(({ words, media_files, outcome: verified, answer, ...row }) => ({
      ...row,
      // Replies have either as the outcome.
      ...(verified && { outcome: verified }),
      ...(answer && { outcome: answer }),
      text: words,
      media_files: JSON.parse(media_files) as StoredMediaFile[],
    }));
  });

/** Returns the notes on an audit, oldest first. */
export async function listNotes(db: Database, auditId: string): Promise<AuditNote[]> {
  const notes: AuditNote[] = [];
  for await (const page of readNotePages(db, auditId)) notes.push(...page);
  return notes;
}

/** Throws 409 if the audit already has 1,000 notes. */
export async function assertRoomForNote(db: Database, auditId: string): Promise<void> {
  if ((await countRows(db.selectFrom('audit_notes').where('audit_id', '=', auditId))) >= maxNotes)
    throw new HttpError(409, 'An audit has at most 1,000 notes. Create a follow-up audit to write more.');
}

export type NewNote = {
  id: string;
  audit_id: string;
  text: string;
  media_files: StoredMediaFile[];
  /** Of a verification. */
  outcome?: VerificationOutcome;
  /** To a lesson. */
  answer?: LessonAnswer;
  by: { id: string; username: string };
  now: Date;
};

export async function insertNote(
  db: Database,
  { id, audit_id, text, media_files, outcome, answer, by, now }: NewNote,
): Promise<void> {
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
      outcome: outcome ?? null,
      answer: answer ?? null,
    })
    .execute();
  await updateSearchText(db, audit_id);
}

export async function canSeeNote(db: Database, viewer: Viewer, id: string): Promise<boolean> {
  const note = await db.selectFrom('audit_notes').select('audit_id').where('id', '=', id).executeTakeFirst();
  return note !== undefined && canSeeAudit(db, viewer, note.audit_id);
}
