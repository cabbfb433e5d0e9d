import { createDdlMigration } from '../tables.ts';

/**
 * Records destroyed after their retention period, the lists they were chosen from, and statistics
 * about them.
 */
export const up = createDdlMigration(`
create table retention_lists (
  hash text primary key,
  made_at text not null,
  is_monthly integer not null,
  rows text not null
);

create table destroyed (
  id text primary key,
  thing text not null,
  class text not null,
  until text not null,
  files integer not null,
  hash text not null,
  destroyed_at text not null
);

create table record_statistics (
  kind text not null,
  park text not null,
  month text not null,
  status text not null,
  age_band text not null,
  rules text not null,
  outcome text not null,
  count integer not null,
  primary key (kind, park, month, status, age_band, rules, outcome)
);

create index submissions_by_age on submissions (submitted_at);
alter table deletions add column reason text;
alter table deletions add column reason_salt text;
`);
