// Lists of records that may be destroyed, as they were shown to an Admin.
import type { Database } from '../db/schema.ts';

/** What is stored of the rows of a list, by the id of the record. */
export type ListedRows = { [id: string]: { label: string; hash: string } };

/** Replaces the label of a record in stored lists, because it may contain a person's name. */
export async function renameInLists(db: Database, id: string, label: string): Promise<void> {
  const lists = await db.selectFrom('retention_lists').select(['hash', 'rows']).execute();
  for (const { hash, rows } of lists) {
    const listedRows = JSON.parse(rows) as ListedRows;
    if (!listedRows[id]) continue;
    listedRows[id].label = label;
    await db
      .updateTable('retention_lists')
      .set({ rows: JSON.stringify(listedRows) })
      .where('hash', '=', hash)
      .execute();
  }
}
