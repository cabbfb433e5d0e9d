import { createDdlMigration } from '../tables.ts';

/**
 * Adds an index that finds the reviewers of a park, who are notified of each report, without
 * reading every user.
 */
export const up = createDdlMigration('create index users_by_role on users (role, park) where deleted_at is null;');
