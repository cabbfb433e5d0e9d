import { createDdlMigration } from '../tables.ts';

/** Adds the browsers in which reviewers have signed in. */
export const up = createDdlMigration(`
create table browsers (
  user_id text not null,
  token_hash text not null,
  used_at text not null,
  primary key (user_id, token_hash)
);
`);
