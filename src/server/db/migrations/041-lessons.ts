import { createDdlMigration } from '../tables.ts';

/** Adds lessons. Their audits name them as the source; an answer is a note with an outcome. */
export const up = createDdlMigration(`
create table lessons (
  id text primary key,
  title text not null,
  happened text not null,
  look_at text not null,
  media_files text not null,
  answer_by text not null,
  investigation_id text,
  created_at text not null,
  created_by text not null,
  created_by_name text not null
);
`);
