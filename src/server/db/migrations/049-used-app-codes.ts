import { createDdlMigration } from '../tables.ts';

/** Stores every code of an app that was used, because one used while the clock was ahead refused all until then. */
export const up = createDdlMigration(`
create table used_app_codes (
  user_id text not null,
  step integer not null,
  primary key (user_id, step)
);
insert into used_app_codes (user_id, step) select user_id, last_step from authenticators where last_step > 0;
alter table authenticators drop column last_step;
`);
