import { createDdlMigration } from '../tables.ts';

/** Adds the identities at the operator's provider: those of users, and those that wait for an Admin. */
export const up = createDdlMigration(`
create table identity_links (
  identity_hash text primary key,
  user_id text not null unique,
  access text not null,
  created_at text not null,
  created_by text not null,
  last_sign_in_at text
);
create table waiting_identities (
  id text primary key,
  identity_hash text not null unique,
  name text not null,
  email text not null,
  first_at text not null,
  last_at text not null
);
`);
