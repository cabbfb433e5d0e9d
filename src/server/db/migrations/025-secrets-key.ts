import type { Kysely } from 'kysely';
import { runDdl } from '../tables.ts';

/** The server encrypts stored secrets when it starts, because migrations do not have the key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(db, 'create table secrets_key (id integer primary key check (id = 1), fingerprint text not null);');
}
