import { createDdlMigration } from '../tables.ts';

/**
 * Adds packs and the list of records in each, because a pack is deleted as soon as one of its
 * records is destroyed.
 */
export const up = createDdlMigration(`
create table packs (
  id text primary key,
  recipient text not null,
  purpose text not null,
  without_names integer not null,
  state text not null,
  done integer not null,
  total integer not null,
  attempts integer not null,
  claim text,
  claimed_until text,
  problem text,
  bytes integer,
  has_file integer not null,
  created_at text not null,
  created_by text not null references users (id),
  created_by_name text not null,
  expires_at text
);
create index packs_by_state on packs (state, created_at);
create index packs_by_user on packs (created_by, created_at);

create table pack_items (
  pack_id text not null references packs (id),
  thing text not null,
  thing_id text not null,
  primary key (pack_id, thing, thing_id)
);
create index pack_items_by_thing on pack_items (thing, thing_id);
`);
