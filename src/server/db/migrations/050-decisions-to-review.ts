import { createDdlMigration } from '../tables.ts';

/**
 * Adds which decisions on assessments to check again: those with the answer `medical` by the first
 * version of the rules of 2013, whose question could be misunderstood. Whether the answer mattered
 * is found out when they are listed.
 */
export const up = createDdlMigration(`
alter table assessments add column to_review integer not null default 0;
update assessments set to_review = 1
  where rule_set = 'riddor-2013-v1' and decision in ('record', 'notReportable') and answers like '%"medical"%';
create index assessments_to_review on assessments (report_id) where to_review = 1;
`);
