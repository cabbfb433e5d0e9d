import { createDdlMigration } from '../tables.ts';

/** Adds when a one-time password was used, and the hash of the attempt that used it, which may be repeated. */
export const up = createDdlMigration(`
alter table users add column one_time_used_at text;
alter table users add column one_time_attempt text not null default '';
`);
