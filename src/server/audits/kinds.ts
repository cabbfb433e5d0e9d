import { addYears } from '#shared/calendar.ts';
import { getMonth, getToday } from '#shared/dates.ts';
import type { Database } from '../db/schema.ts';
import { declareKind } from '../record-kind.ts';
import { listStoredPaths } from '../uploads/stored-paths.ts';
import { assertFolderOfAudit } from './soft-delete.ts';

export const folderKind = declareKind({
  table: 'folders',
  contains: { kind: 'audit', of: 'folder_id' },
  uploads: 'folder',
  park: 'park',
  found: { label: ({ name }) => name, images: ({ thumbnail }) => [thumbnail] },
  purpose: 'A container of such work',
  log: { readers: 'reviewers' },
  bin: {},
  retention: {
    from: 'created_at',
    minYears: ({ years }) => years,
    condition: 'not exists (select 1 from audits where audits.folder_id = folders.id)',
    async dueFrom(row, _, { years }) {
      const day = getToday(new Date(row.created_at));
      return { label: row.name, place: row.park, day, class: 'Empty audit folder', until: addYears(day, years) };
    },
    toCount: async ({ park }) => ({ park, month: '' }),
  },
  // A folder is in no pack itself.
  async listPackItems(db, id) {
    const audits = await db.selectFrom('audits').select('id').where('folder_id', '=', id).execute();
    return audits.map((audit) => ({ thing: 'audit', thing_id: audit.id }));
  },
});

export const auditKind = declareKind({
  table: 'audits',
  children: [{ table: 'audit_notes', of: 'audit_id', uploads: 'note' }],
  uploads: 'audit',
  park: '(select park from folders where folders.id = audits.folder_id)',
  found: { label: ({ title }) => title, images: ({ data }) => listStoredPaths(data) },
  purpose: 'Record of work to be done for safety',
  log: { readers: 'reviewers' },
  bin: { assertRestorable: assertFolderOfAudit },
  retention: {
    from: 'completed_at',
    minYears: ({ years }) => years,
    // An action is kept as long as its investigation.
    condition: `completed = 1 and completed_at is not null and
      not exists (select 1 from investigations where investigations.id = audits.investigation_id)`,
    async dueFrom(row, db, { years }) {
      const day = getToday(new Date(row.completed_at ?? ''));
      const facts = { label: row.title, place: await findPark(db, row.folder_id), day };
      return { ...facts, class: 'Completed audit', until: addYears(day, years) };
    },
    toCount: async (row, db) => ({ park: await findPark(db, row.folder_id), month: getMonth(row.date ?? '') }),
  },
  listPackItems: async (_, id) => [{ thing: 'audit', thing_id: id }],
  orphans: { kind: 'lesson', list: listLessonsWithoutAudits },
});

const findPark = async (db: Database, folderId: string) =>
  (await db.selectFrom('folders').select('park').where('id', '=', folderId).executeTakeFirst())?.park ?? '';

/** Returns the ids of lessons of which no audit is left. */
async function listLessonsWithoutAudits(db: Database): Promise<string[]> {
  const lessons = await db
    .selectFrom('lessons')
    .select('id')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('audits').select('audits.id').whereRef('audits.source_id', '=', 'lessons.id'))),
    )
    .execute();
  return lessons.map(({ id }) => id);
}
