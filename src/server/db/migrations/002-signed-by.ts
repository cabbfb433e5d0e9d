import { createDdlMigration } from '../tables.ts';

/** Adds who signed for the affected party, as JSON; null if the affected party signed. */
export const up = createDdlMigration('alter table reports add column "affectedUserSignedBy" text;\n');
