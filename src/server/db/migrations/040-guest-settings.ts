import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** Parks have telephone numbers for guests, and can take no messages from them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table park_settings add column guest_telephone text;
alter table park_settings add column gas_telephone text;
alter table park_settings add column guests_off integer;
`,
  );
}
