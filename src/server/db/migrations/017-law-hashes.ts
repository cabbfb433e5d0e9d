import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/**
 * Salts for the hashes of texts that the activity log has: of saved assessments, notices and access
 * requests. Null for rows older than this.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table assessment_versions add column salt text;
alter table riddor_notices add column salt text;
alter table access_requests add column salt text;
`,
  );
}
