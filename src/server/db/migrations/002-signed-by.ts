import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** Who signed for the affected party, as JSON; null where they signed themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(db, 'alter table reports add column "affectedUserSignedBy" text;\n');
}
