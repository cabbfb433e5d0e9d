import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** Finds the reviewers of a park, whom each report notifies, without reading every user. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(db, 'create index users_by_role on users (role, park) where deleted_at is null;');
}
