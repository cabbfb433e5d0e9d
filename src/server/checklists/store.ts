import type { Checklist, NewChecklist, NotesRule, Section } from '#shared/checklists.ts';
import type { Database } from '../db/schema.ts';
import { newId } from '../ids.ts';

/** Returns the checklists that can be filled in, by title. */
export async function listChecklists(db: Database): Promise<Checklist[]> {
  const checklists = await selectCurrentChecklists(db).execute();
  return checklists
    .map(toChecklist)
    .sort((a, b) => a.title.localeCompare(b.title, 'en', { numeric: true, sensitivity: 'base' }));
}

export async function findChecklist(db: Database, id: string): Promise<Checklist | undefined> {
  const row = await selectCurrentChecklists(db).where('checklists.id', '=', id).executeTakeFirst();
  return row && toChecklist(row);
}

const selectCurrentChecklists = (db: Database) =>
  db
    .selectFrom('checklists')
    .innerJoin('checklist_versions', (join) =>
      join
        .onRef('checklist_versions.checklist_id', '=', 'checklists.id')
        .onRef('checklist_versions.version', '=', 'checklists.version'),
    )
    .select(['checklists.id', 'checklists.title', 'checklists.version'])
    .select(['checklist_versions.sections', 'checklist_versions.notes'])
    .where('checklists.deletion_id', 'is', null);

type ChecklistRow = Omit<Checklist, 'sections' | 'notes'> & { sections: string; notes: NotesRule };

const toChecklist = ({ notes, ...row }: ChecklistRow): Checklist => ({
  ...row,
  sections: JSON.parse(row.sections) as Section[],
  ...(notes !== 'failing' && { notes }),
});

/** Returns a version, even if the checklist has since changed or been deleted. */
export async function findVersion(db: Database, id: string, version: number): Promise<Checklist | undefined> {
  const row = await db
    .selectFrom('checklist_versions')
    .select(['checklist_id as id', 'title', 'version', 'sections', 'notes'])
    .where('checklist_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst();
  return row && toChecklist(row);
}

export async function insertChecklist(db: Database, checklist: NewChecklist, by: string, now: Date): Promise<string> {
  const id = newId();
  const at = now.toISOString();
  await db
    .insertInto('checklists')
    .values({ id, title: checklist.title, version: 1, created_at: at, updated_at: at, deletion_id: null })
    .execute();
  await insertVersion(db, { ...checklist, id, version: 1 }, by, now);
  return id;
}

/**
 * Stores `checklist` as the new version. Older versions stay, because submissions refer to them.
 */
export async function updateChecklist(db: Database, checklist: Checklist, by: string, now: Date): Promise<void> {
  const { id, title, version } = checklist;
  await insertVersion(db, checklist, by, now);
  await db
    .updateTable('checklists')
    .set({ title, version, updated_at: now.toISOString() })
    .where('id', '=', id)
    .execute();
}

async function insertVersion(db: Database, checklist: Checklist, by: string, now: Date) {
  const { id, title, version, sections, notes = 'failing' } = checklist;
  await db
    .insertInto('checklist_versions')
    .values({
      checklist_id: id,
      version,
      title,
      sections: JSON.stringify(sections),
      created_at: now.toISOString(),
      created_by: by,
      notes,
    })
    .execute();
}
