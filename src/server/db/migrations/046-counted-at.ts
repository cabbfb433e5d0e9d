import { type Kysely, sql } from 'kysely';
import { runDdl } from '../tables.ts';

/** Adds when each attempt was counted, and finds browsers by their token alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table throttles add column counted_at text not null default '';
create index browsers_by_token on browsers (token_hash);
`,
  );
  // Counted while a clock was ahead: no window was longer than a day.
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000).toISOString();
  await sql`delete from throttles where resets_at > ${tomorrow}`.execute(db);
}
