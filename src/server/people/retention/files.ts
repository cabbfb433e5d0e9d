// Finds the files of a record, including those of the notes on an audit and of an investigation's sections.
import type { Database } from '../../db/schema.ts';
import { listAttached, type UploadOwner, type UploadRow } from '../../uploads/store.ts';

export async function listUploadOwners(db: Database, thing: string, id: string): Promise<UploadOwner[]> {
  if (thing === 'report' || thing === 'submission' || thing === 'folder' || thing === 'message')
    return [{ attached_to: thing, attached_id: id }];
  if (thing === 'investigation') {
    const sections = db.selectFrom('investigation_sections').select('id').where('investigation_id', '=', id);
    return (await sections.execute()).map((section) => ({ attached_to: 'investigation', attached_id: section.id }));
  }
  if (thing !== 'audit') return [];
  const notes = await db.selectFrom('audit_notes').select('id').where('audit_id', '=', id).execute();
  return [
    { attached_to: 'audit', attached_id: id },
    ...notes.map((note) => ({ attached_to: 'note', attached_id: note.id }) as const),
  ];
}

export async function listFiles(db: Database, owners: UploadOwner[]): Promise<UploadRow[]> {
  const files = await Promise.all(owners.map((owner) => listAttached(db, owner.attached_to, [owner.attached_id])));
  return files.flat();
}
