import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/**
 * The number of failing answers of a submission, with their notes and photos. Older submissions
 * have none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table submissions add column failures integer not null default 0;
alter table submissions add column failure_notes text;
create index submissions_failing on submissions (position) where failures > 0 and deletion_id is null;
`,
  );
}
