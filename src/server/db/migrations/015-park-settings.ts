import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** Settings of a park: the authority that enforces health and safety there. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
create table park_settings (
  park text primary key,
  authority text not null,
  updated_at text not null,
  updated_by text not null
);
`,
  );
}
