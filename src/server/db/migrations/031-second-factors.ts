import { createDdlMigration } from '../tables.ts';

/** Adds codes from an app, recovery codes, tokens that are used once, and how each session was begun. */
export const up = createDdlMigration(`
create table one_use_tokens (
  token_hash text primary key,
  kind text not null,
  user_id text not null,
  attempts integer not null,
  expires_at text not null
);

create table authenticators (
  user_id text primary key,
  secret text not null,
  last_step integer not null,
  is_confirmed integer not null,
  created_at text not null
);

create table recovery_codes (
  user_id text not null,
  number integer not null,
  is_confirmed integer not null,
  code_hash text not null,
  used_at text,
  primary key (user_id, is_confirmed, number)
);

alter table sessions add column method text not null default 'password';
alter table sessions add column confirmed_at text not null default '';
`);
