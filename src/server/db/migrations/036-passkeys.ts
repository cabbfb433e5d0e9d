import { createDdlMigration } from '../tables.ts';

/** Adds passkeys. */
export const up = createDdlMigration(`
create table passkeys (
  id text primary key,
  user_id text not null,
  name text not null,
  host text not null,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  can_be_backed_up integer not null,
  is_backed_up integer not null,
  is_confirmed integer not null,
  created_at text not null,
  last_used_at text
);
create index passkeys_by_user on passkeys (user_id);
`);
