import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/**
 * Fewer pages to write for each report: without an index that equals the one of the unique position,
 * and without opened reports and unattached uploads in indexes that are only used to find others.
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
