import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/**
 * Fewer pages to write for each report. The index of the unique position serves the list as well as
 * the dropped one. Only reports that nobody has opened, and only attached uploads, are looked up in
 * the other two, so they contain no others.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
drop index reports_listed;
drop index reports_unopened;
create index reports_unopened on reports (first_opened_at, "reportType", position, "selectedPlace") where first_opened_at is null and deletion_id is null;
drop index uploads_attached;
create index uploads_attached on uploads (attached_id) where attached_id is not null;
`,
  );
}
