import { createDdlMigration } from '../tables.ts';

/** Sessions get a new token when their user confirms who they are. Resets of second factors have a reason. */
export const up = createDdlMigration(`
alter table sessions add column earlier_hash text;
alter table sessions add column earlier_until text;
create index sessions_by_earlier_hash on sessions (earlier_hash);

create table factor_resets (
  id text primary key,
  user_id text not null,
  reason text not null,
  reason_salt text not null,
  created_at text not null,
  created_by text not null,
  created_by_name text not null
);
`);
