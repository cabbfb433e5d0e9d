import { createDdlMigration } from '../tables.ts';

/** Adds schedules of checklists, days on which parks are closed, and the checks that are due. */
export const up = createDdlMigration(`
create table schedules (
  id text primary key,
  checklist_id text not null references checklists (id),
  parks text not null,
  repeat text not null,
  weekday integer,
  month_day integer,
  season_from text,
  season_to text,
  opens_at text not null,
  closes_at text not null,
  starts_on text not null,
  ends_on text,
  gate text not null,
  version integer not null,
  written_until text not null,
  created_at text not null,
  created_by text not null references users (id),
  ended_at text
);

create table park_closures (
  id text primary key,
  park text not null,
  starts_on text not null,
  ends_on text not null,
  created_at text not null,
  created_by text not null references users (id)
);
create index park_closures_by_park on park_closures (park, starts_on);

create table due_checks (
  id text primary key,
  schedule_id text not null references schedules (id),
  checklist_id text not null references checklists (id),
  park text not null,
  day text not null,
  opens_at text not null,
  closes_at text not null,
  gate text not null,
  submission_id text,
  filled_in_at text,
  received_at text,
  failures integer not null,
  reason text,
  reason_by_name text,
  reason_at text,
  unique (schedule_id, park, day)
);
create index due_checks_by_time on due_checks (opens_at, id);
create index due_checks_by_day on due_checks (day, park, closes_at, filled_in_at, opens_at, failures);
create index due_checks_by_checklist on due_checks (checklist_id, park, opens_at);
create index submissions_by_checklist on submissions (checklist_id, park, submitted_at) where deletion_id is null;
`);
