// Audit folders in the database. Functions with a viewer return only what that user may see.
import type { ExpressionBuilder } from 'kysely';
import type { Viewer } from '#shared/access.ts';
import type { Folder } from '#shared/audits.ts';
import { getToday } from '#shared/dates.ts';
import type { Database, Tables } from '../db/schema.ts';
import { isRuleFolder } from './rule-folders.ts';
import { isInScope } from './scope.ts';

type FolderFields = Pick<Folder, 'name' | 'description' | 'park' | 'thumbnail'>;

const countAudits = (eb: ExpressionBuilder<Tables, 'folders'>) =>
  eb
    .selectFrom('audits')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .whereRef('audits.folder_id', '=', 'folders.id')
    .where('audits.deletion_id', 'is', null);

const selectFolders = (db: Database, viewer: Viewer) =>
  db
    .selectFrom('folders')
    .select(['id', 'name', 'description', 'thumbnail', 'park', 'created_at', 'version'])
    .select((eb) => countAudits(eb).$asScalar().$notNull().as('audit_count'))
    .select((eb) =>
      countAudits(eb)
        .where('audits.completed', '=', 0)
        .where('audits.date', '<>', '')
        .where('audits.date', '<', getToday())
        .$asScalar()
        .$notNull()
        .as('overdue_count'),
    )
    .where(isInScope(viewer));

const alphabet = new Intl.Collator('en-GB', { numeric: true });

/** Returns folders sorted by park, then by name; those that rules create come last. */
export async function listFolders(db: Database, viewer: Viewer): Promise<Folder[]> {
  const folders = await selectFolders(db, viewer).execute();
  return folders.sort(
    (a, b) =>
      Number(isRuleFolder(a)) - Number(isRuleFolder(b)) ||
      alphabet.compare(a.park, b.park) ||
      alphabet.compare(a.name, b.name),
  );
}

export const findFolder = async (db: Database, viewer: Viewer, id: string): Promise<Folder | undefined> =>
  selectFolders(db, viewer).where('id', '=', id).executeTakeFirst();

export async function insertFolder(
  db: Database,
  { id, by, now, ...fields }: FolderFields & { id: string; by: { id: string }; now: Date },
): Promise<void> {
  await db
    .insertInto('folders')
    .values({ ...fields, id, version: 1, created_at: now.toISOString(), created_by: by.id, deletion_id: null })
    .execute();
}

export async function updateFolder(db: Database, id: string, fields: FolderFields & { version: number }) {
  await db.updateTable('folders').set(fields).where('id', '=', id).execute();
}
