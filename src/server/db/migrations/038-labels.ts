import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** Places may have a label: the code in the address that is printed on it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table places add column label text;
create unique index places_by_label on places (label);
`,
  );
}
