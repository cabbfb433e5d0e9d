import { createDdlMigration } from '../tables.ts';

/** Adds investigations: the records they cover, sections with versions of their own, and notes. */
export const up = createDdlMigration(`
create table investigations (
  id text primary key,
  number text not null unique,
  park text not null,
  created_at text not null,
  created_by text not null,
  created_by_name text not null,
  deletion_id text
);

create table investigation_records (
  investigation_id text not null,
  thing text not null,
  thing_id text not null,
  primary key (investigation_id, thing_id)
);
create index investigation_records_by_thing on investigation_records (thing_id);

create table investigation_sections (
  id text primary key,
  investigation_id text not null,
  section text not null,
  version integer not null,
  content text not null,
  saved_at text,
  saved_by text,
  saved_by_name text not null
);
create unique index investigation_sections_by_name on investigation_sections (investigation_id, section);

create table investigation_notes (
  id text primary key,
  investigation_id text not null,
  kind text not null,
  about text not null,
  words text not null,
  created_at text not null,
  created_by text not null,
  created_by_name text not null
);
create index investigation_notes_by_investigation on investigation_notes (investigation_id, created_at, id);

alter table packs add column with_investigations integer not null default 0;
alter table audits add column investigation_id text;
create index audits_by_investigation on audits (investigation_id) where investigation_id is not null;
`);
