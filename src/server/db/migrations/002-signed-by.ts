import type { Kysely } from 'kysely';
import { define } from '../tables.ts';

/** Who signed for the affected party, as JSON; null where they signed themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await define(db, 'alter table reports add column "affectedUserSignedBy" text;\n');
}
