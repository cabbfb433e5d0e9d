import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** Adds the operator's rule sets that assessments use. Earlier versions read them from files. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
create table rule_sets (
  id text primary key,
  rules text not null
);
`,
  );
}
