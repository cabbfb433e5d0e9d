// Report search also finds dates in common formats, times, employment status and emergency
// services.
import { type Kysely, sql } from 'kysely';
import { getReportSearchText, type SearchedReport } from '../report-search-text.ts';
import { rebuildSearchIndex } from '../search.ts';

const page = 250;

export async function up(db: Kysely<unknown>): Promise<void> {
  await rebuildSearchIndex(db, 'reports', () => updateReportSearch(db));
  await rebuildSearchIndex(db, 'submissions');
}

/**
 * Updates the search text page by page in order of position, so that any number of reports fits in
 * memory.
 */
async function updateReportSearch(db: Kysely<unknown>): Promise<void> {
  for (let after = -1; ; ) {
    const { rows } = await sql<
      SearchedReport & { position: number }
    >`select * from reports where position > ${after} order by position limit ${page}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    const texts = rows.map((row) => sql`(${row.position}, ${getReportSearchText(row)})`);
    await sql`with texts (position, search_text) as (values ${sql.join(texts)})
      update reports set search_text = texts.search_text from texts
      where reports.position = ${sql.raw(castToInteger('texts.position'))}`.execute(db);
    after = last.position;
  }
}

/** PostgreSQL treats listed values as text; SQLite ignores this cast's type and uses an integer. */
const castToInteger = (column: string) => `cast(${column} as bigint)`;
