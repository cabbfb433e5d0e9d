import { createDdlMigration } from '../tables.ts';

/**
 * Adds a table of names erased ("blanked") inside records that are kept: the records, fields and
 * positions. It contains no personal data.
 */
export const up = createDdlMigration(`
create table blanked (
  id text primary key,
  thing text not null,
  thing_id text not null,
  why text not null,
  version integer,
  marks text not null,
  blanked_at text not null
);
create index blanked_by_record on blanked (thing_id, blanked_at);
`);
