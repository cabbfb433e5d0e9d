import { createDdlMigration } from '../tables.ts';

/**
 * Adds what orders the messages of guests, groups those of one label, network and hour, and bounds their bytes.
 * Earlier messages are each a group of their own, and no one is notified of them again.
 */
export const up = createDdlMigration(`
alter table guest_messages add column priority integer not null default 2;
alter table guest_messages add column rank integer not null default 1;
alter table guest_messages add column group_id text not null default '';
alter table guest_messages add column is_listed integer not null default 1;
alter table guest_messages add column sent_count integer not null default 1;
alter table guest_messages add column last_form_hash text;
alter table guest_messages add column bytes integer not null default 0;
alter table guest_messages add column told_at text;
alter table guest_messages add column is_junk integer not null default 0;
update guest_messages set group_id = id, told_at = created_at,
  priority = case when hurt = 'hurt' then 0 when kind in ('Electrical', 'Gas or smell', 'Water or pool', 'Fire') then 1 else 2 end,
  bytes = case when 4 * (length(words) + length(name) + length(contact)) > 400 then 4 * (length(words) + length(name) + length(contact)) else 400 end;
drop index guest_messages_by_place;
drop index guest_messages_unclosed;
create index guest_messages_by_place on guest_messages (place_id, created_at);
create index guest_messages_unclosed on guest_messages (park, read_at, bytes) where closed_at is null;
create index guest_messages_listed on guest_messages (priority, rank, created_at desc, id, park) where closed_at is null and is_listed = 1;
create index guest_messages_by_group on guest_messages (group_id, priority, rank, sent_count) where closed_at is null;
create index guest_messages_leading on guest_messages (group_id) where is_listed = 1;
create index guest_messages_untold on guest_messages (park, place_id) where told_at is null and closed_at is null;
create index guest_messages_by_last_form on guest_messages (last_form_hash) where last_form_hash is not null;
create index guest_messages_junk on guest_messages (closed_at) where is_junk = 1;
create table guest_counters (
  key text primary key,
  amount bigint not null,
  ref text,
  ends_at text not null
);
create index guest_counters_by_end on guest_counters (ends_at);
`);
