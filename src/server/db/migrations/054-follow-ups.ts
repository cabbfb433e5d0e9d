import { createDdlMigration } from '../tables.ts';

/**
 * Adds which audit follows from a verification or an answer to a lesson. Earlier versions found it by its time: it was
 * created together with the note. Where two audits fit, neither is taken.
 */
export const up = createDdlMigration(`
alter table audits add column follow_up_of text;
update audits set follow_up_of = source_id
  where source_thing = 'audit'
  and exists (select 1 from audit_notes where audit_notes.audit_id = audits.source_id
    and audit_notes.created_at = audits.created_at and audit_notes.verified in ('doesNotWork', 'needsWork'))
  and 1 = (select count(*) from audits as others where others.source_thing = 'audit'
    and others.source_id = audits.source_id and others.created_at = audits.created_at);
create index audits_follow_up_of on audits (follow_up_of);
`);
