// Audits are found by the words of their titles, texts and notes. Gives audits what searches need, as reports have it, and
// open and completed ones an index in the order of their list.
import { type Kysely, sql } from 'kysely';
import { getAuditSearchText, listSearchedNotes } from '../audit-data.ts';
import type { Database, Tables } from '../schema.ts';
import { createSearchIndex, rebuildSearchIndex } from '../search.ts';
import { runDdl } from '../tables.ts';

const page = 250;

export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table audits add column position bigint not null default 0;
alter table audits add column search_text text not null default '';
create index audits_left on audits (due, id) where (completed = 0 or verify_by is not null) and deletion_id is null;
create index audits_completed on audits (position) where completed <> 0 and deletion_id is null;
`,
  );
  await createSearchIndex(db, 'audits');
  await rebuildSearchIndex(db, 'audits', () => fillColumns(db as Database));
  await sql`create unique index audits_position on audits (position)`.execute(db);
}

type Row = Pick<Tables['audits'], 'id' | 'created_at' | 'title' | 'data'>;

/** Numbers the audits as they were created, page by page; the counter continues with the number after the last. */
async function fillColumns(db: Database): Promise<void> {
  let position = 0;
  for (let last = { created_at: '', id: '' }; ; ) {
    const { rows } = await sql<Row>`select id, created_at, title, data from audits
      where (created_at, id) > (${last.created_at}, ${last.id}) order by created_at, id limit ${page}`.execute(db);
    for (const row of rows)
      await sql`update audits set position = ${++position},
        search_text = ${getAuditSearchText(row, await listSearchedNotes(db, row.id))} where id = ${row.id}`.execute(db);
    const lastRow = rows.at(-1);
    if (!lastRow) break;
    last = lastRow;
  }
  if (position > 0) await sql`insert into counters (name, value) values ('audits', ${position})`.execute(db);
}
