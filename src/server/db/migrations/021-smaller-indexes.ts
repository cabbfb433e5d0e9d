import { createDdlMigration } from '../tables.ts';

/**
 * Makes indexes smaller, so that fewer pages are written for each report. One is dropped, because
 * the unique index of the position serves the list as well. The other two become partial, because
 * only unopened reports and only attached uploads are looked up in them.
 */
export const up = createDdlMigration(`
drop index reports_listed;
drop index reports_unopened;
create index reports_unopened on reports (first_opened_at, "reportType", position, "selectedPlace") where first_opened_at is null and deletion_id is null;
drop index uploads_attached;
create index uploads_attached on uploads (attached_id) where attached_id is not null;
`);
