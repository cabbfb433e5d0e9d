import { type Kysely, sql } from 'kysely';
import { foldText } from '#shared/text.ts';
import { runDdl } from '../tables.ts';

/**
 * Adds when a reviewer other than its author first opened a report (existing reports count as
 * opened), the type in a form for comparison that ignores case, and indexes for the overview.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `alter table reports add column first_opened_at text;
alter table reports add column type_key text not null default '';
`,
  );
  await sql`update reports set first_opened_at = created_at`.execute(db);
  const { rows } = await sql<{ type: string }>`select distinct type from reports`.execute(db);
  for (const { type } of rows)
    await sql`update reports set type_key = ${foldText(type).trim()} where type = ${type}`.execute(db);
  await runDdl(
    db,
    `
create index reports_unopened on reports (first_opened_at, "reportType", position, "selectedPlace") where deletion_id is null;
create index reports_overview on reports (date, "selectedPlace", "reportType", "emergencyService", "employmentStatus", time, type_key, type, location) where deletion_id is null;
create index audits_overview on audits (folder_id, completed, completed_at, created_at, date) where deletion_id is null;
`,
  );
}
