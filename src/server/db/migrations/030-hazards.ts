import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** Adds who does the audits of hazards at a park, and whom to ring about urgent ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table park_settings add column hazard_assignee_id text;
alter table park_settings add column telephone text;
`,
  );
}
