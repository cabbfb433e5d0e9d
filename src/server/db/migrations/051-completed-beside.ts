import { createDdlMigration } from '../tables.ts';

/**
 * Adds who else may have completed an audit: the users of the shared device that sent it. Which device sent an
 * earlier completion is not known.
 */
export const up = createDdlMigration(`
alter table audits add column completed_beside text;
`);
