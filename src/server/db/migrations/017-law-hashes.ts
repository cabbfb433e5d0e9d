import { createDdlMigration } from '../tables.ts';

/**
 * Adds salts for hashes in the activity log: those of saved assessments, notices and access
 * requests. Null for rows from before this migration.
 */
export const up = createDdlMigration(`
alter table assessment_versions add column salt text;
alter table riddor_notices add column salt text;
alter table access_requests add column salt text;
`);
