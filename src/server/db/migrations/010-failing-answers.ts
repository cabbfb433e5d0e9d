import { createDdlMigration } from '../tables.ts';

/**
 * The number of failing answers of a submission, with their notes and photos. Older submissions
 * have none.
 */
export const up = createDdlMigration(`
alter table submissions add column failures integer not null default 0;
alter table submissions add column failure_notes text;
create index submissions_failing on submissions (position) where failures > 0 and deletion_id is null;
`);
