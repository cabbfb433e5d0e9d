import { createDdlMigration } from '../tables.ts';

/** Adds devices that the staff of a park share, and the PINs with which they sign in there. */
export const up = createDdlMigration(`
create table shared_devices (
  id text primary key,
  token_hash text not null unique,
  park text not null,
  name text not null,
  is_allowed integer not null,
  created_at text not null,
  created_by text not null,
  last_used_at text not null
);
create table pins (
  user_id text primary key,
  pin_hash text not null,
  wrong_attempts integer not null,
  created_at text not null
);
create table device_sign_ins (
  id text primary key,
  device_id text not null,
  user_id text not null,
  at text not null
);
create index device_sign_ins_by_device on device_sign_ins (device_id, user_id);
alter table sessions add column shared_device_id text;
`);
