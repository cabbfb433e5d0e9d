import { createDdlMigration } from '../tables.ts';

/** Adds the places of parks, and the links of records to them. A record has one place at most. */
export const up = createDdlMigration(`
create table places (
  id text primary key,
  park text not null,
  name text not null,
  name_key text not null,
  retired_at text
);
create unique index places_by_name on places (park, name_key);

create table place_links (
  thing_id text primary key,
  thing text not null,
  place_id text not null,
  linked_by text not null,
  linked_at text not null,
  is_later integer not null
);
create index place_links_by_place on place_links (place_id, linked_at);
`);
