import { createDdlMigration } from '../tables.ts';

/**
 * Lets closed days be entered by the list of parks (`PARKS_FILE`), which is no user. SQLite cannot change a column, so
 * the table is copied.
 */
export const up = createDdlMigration(`
create table new_park_closures (
  id text primary key,
  park text not null,
  starts_on text not null,
  ends_on text not null,
  created_at text not null,
  created_by text references users (id)
);
insert into new_park_closures select id, park, starts_on, ends_on, created_at, created_by from park_closures;
drop table park_closures;
alter table new_park_closures rename to park_closures;
create index park_closures_by_park on park_closures (park, starts_on);
`);
