// The parks that the database names: of records, users and settings.
import { sql } from 'kysely';
import type { Database } from '../db/schema.ts';

/** The columns with a park; `parks` is a JSON list. */
const columnNames = ['park', 'parks', 'selectedPlace'];

/** Tables that would take long to read when the server starts, because each row is about a record or schedule. */
const followingTables = ['due_checks', 'notifications', 'deliveries'];

type Row = { value: string | null };

/** Reads the index of the overview, which has the park of what is not deleted, instead of all rows of reports. */
const reportParks = sql<Row>`
  select distinct "selectedPlace" as value from reports where deletion_id is null and date >= ''
  union select "selectedPlace" from reports where id in (select thing_id from deletions)`;

/**
 * Reads every column with a park, and the names of holds on parks. The columns are those of the database itself, so that
 * a new table is read too.
 */
export async function listUsedParks(db: Database): Promise<Set<string>> {
  const used = new Set<string>();
  for (const { name: table, columns, isView } of await db.introspection.getTables()) {
    if (isView || /_search|^kysely|^sqlite/.test(table) || followingTables.includes(table)) continue;
    for (const { name: column } of columns) {
      if (!columnNames.includes(column)) continue;
      const { rows } =
        table === 'reports'
          ? await reportParks.execute(db)
          : await sql<Row>`select distinct ${sql.ref(column)} as value from ${sql.table(table)}`.execute(db);
      for (const { value } of rows) for (const park of readParks(column, value)) used.add(park);
    }
  }
  const holds = await db.selectFrom('holds').select('thing_id').where('thing', '=', 'park').execute();
  for (const { thing_id } of holds) used.add(thing_id);
  used.delete('');
  return used;
}

const readParks = (column: string, value: string | null): string[] =>
  value === null ? [] : column === 'parks' ? ((JSON.parse(value) as string[] | null) ?? []) : [value];
