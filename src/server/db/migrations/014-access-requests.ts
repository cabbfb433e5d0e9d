import { createDdlMigration } from '../tables.ts';

/** People's requests to see the data stored about them, and the decisions for each record. */
export const up = createDdlMigration(`
create table access_requests (
  id text primary key,
  version integer not null,
  name text not null,
  spellings text not null,
  number text not null,
  username text not null,
  received_on text not null,
  identity_checked text not null,
  extended_because text,
  paused_on text,
  paused_days integer not null,
  closed_on text,
  choices text not null,
  created_at text not null,
  created_by text not null,
  created_by_name text not null
);
`);
