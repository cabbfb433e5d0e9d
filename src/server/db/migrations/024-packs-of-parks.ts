import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/**
 * Adds for which park a pack was built, so that its file is hidden from users of other parks. Packs
 * built earlier get the present park of their creator.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table packs add column park text not null default '';
update packs set park = (select users.park from users where users.id = packs.created_by);
`,
  );
}
