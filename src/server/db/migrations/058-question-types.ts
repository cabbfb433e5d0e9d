import { createDdlMigration } from '../tables.ts';

/**
 * Adds which answers of a checklist take notes, the notes of answers that do not fail, and the users whom answers name.
 */
export const up = createDdlMigration(`
alter table checklist_versions add column notes text not null default 'failing';
alter table submissions add column notes text;
create table submission_people (
  submission_id text not null references submissions (id),
  section integer not null,
  user_id text not null references users (id),
  primary key (submission_id, section)
);
create index submission_people_by_user on submission_people (user_id);
`);
