import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/**
 * Adds an index that finds the reviewers of a park, who are notified of each report, without
 * reading every user.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(db, 'create index users_by_role on users (role, park) where deleted_at is null;');
}
