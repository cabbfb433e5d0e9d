import { createDdlMigration } from '../tables.ts';

/** Adds verifications of audits: what is asked for, and on a note the outcome. Older audits ask for none. */
export const up = createDdlMigration(`
alter table audits add column completed_by_id text;
alter table audits add column verify_days integer;
alter table audits add column verifier_id text;
alter table audits add column verify_by text;
alter table audits add column verified text;
alter table audit_notes add column verified text;
create index audits_to_verify on audits (due, id) where verify_by is not null and deletion_id is null;
`);
