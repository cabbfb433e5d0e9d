import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** Adds who does the audits of failing answers at a park. A park may have no setting for its authority. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table park_settings rename column authority to set_authority;
alter table park_settings add column authority text;
alter table park_settings add column assignee_id text;
update park_settings set authority = set_authority;
alter table park_settings drop column set_authority;
`,
  );
}
