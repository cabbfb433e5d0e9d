import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(db, "alter table sessions add column device text not null default '';");
}
