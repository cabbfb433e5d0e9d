import { createDdlMigration } from '../tables.ts';

/** Adds who does the audits of hazards at a park, and whom to ring about urgent ones. */
export const up = createDdlMigration(`
alter table park_settings add column hazard_assignee_id text;
alter table park_settings add column telephone text;
`);
