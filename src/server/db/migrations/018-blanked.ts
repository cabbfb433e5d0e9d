import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/**
 * Names blanked inside records that stay: which fields of which record, and where in them. Contains
 * no personal data.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
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
`,
  );
}
