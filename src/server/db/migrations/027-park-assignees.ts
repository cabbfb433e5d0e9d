import { createDdlMigration } from '../tables.ts';

/** Adds who does the audits of failing answers at a park. A park may have no setting for its authority. */
export const up = createDdlMigration(`
alter table park_settings rename column authority to set_authority;
alter table park_settings add column authority text;
alter table park_settings add column assignee_id text;
update park_settings set authority = set_authority;
alter table park_settings drop column set_authority;
`);
