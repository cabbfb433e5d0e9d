import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** Adds who signed for the affected party, as JSON; null if the affected party signed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(db, 'alter table reports add column "affectedUserSignedBy" text;\n');
}
