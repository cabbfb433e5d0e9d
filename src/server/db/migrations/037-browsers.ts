import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** Adds the browsers in which reviewers have signed in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
create table browsers (
  user_id text not null,
  token_hash text not null,
  used_at text not null,
  primary key (user_id, token_hash)
);
`,
  );
}
