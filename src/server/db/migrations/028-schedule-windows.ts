import { createDdlMigration } from '../tables.ts';

/**
 * Adds further windows to schedules. A day then has several checks of a schedule, so the unique key
 * of checks also contains the time when the window opens. SQLite cannot change a key, so the table is
 * copied.
 */
export const up = createDdlMigration(`
alter table schedules add column more_windows text not null default '[]';

create table new_due_checks (
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
  unique (schedule_id, park, day, opens_at)
);
insert into new_due_checks select id, schedule_id, checklist_id, park, day, opens_at, closes_at, gate, submission_id, filled_in_at, received_at, failures, reason, reason_by_name, reason_at from due_checks;
drop table due_checks;
alter table new_due_checks rename to due_checks;
create index due_checks_by_time on due_checks (opens_at, id);
create index due_checks_by_day on due_checks (day, park, closes_at, filled_in_at, opens_at, failures);
create index due_checks_by_checklist on due_checks (checklist_id, park, opens_at);
`);
