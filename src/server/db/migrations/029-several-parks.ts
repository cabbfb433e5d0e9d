import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** Users, and the packs built for them, have a list of parks instead of one; `null` for all. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['users', 'packs'])
    await runDdl(
      db,
      `
alter table ${table} rename column park to parks;
update ${table} set parks = case parks when '' then 'null' else '["' || parks || '"]' end;
`,
    );
}
