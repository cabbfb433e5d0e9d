import { createDdlMigration } from '../tables.ts';

/** Settings of a park: the authority that enforces health and safety there. */
export const up = createDdlMigration(`
create table park_settings (
  park text primary key,
  authority text not null,
  updated_at text not null,
  updated_by text not null
);
`);
