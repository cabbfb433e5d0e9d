import { type Kysely, sql } from 'kysely';
import { engineOf } from './connect.ts';

/** Makes the database itself refuse to change or delete a row of the table. */
export async function guardAgainstChange(db: Kysely<unknown>, table: string): Promise<void> {
  const name = sql.ref(table);
  if (engineOf(db) === 'postgres') {
    await sql`create function refuse_change() returns trigger language plpgsql as $$ begin raise exception 'This table is append-only.'; end $$`.execute(
      db,
    );
    await sql`create trigger append_only before update or delete or truncate on ${name} execute function refuse_change()`.execute(
      db,
    );
    return;
  }
  for (const change of ['update', 'delete'])
    await sql`create trigger ${sql.ref(`${table}_refuses_${change}`)} before ${sql.raw(change)} on ${name}
      begin select raise(abort, 'This table is append-only.'); end`.execute(db);
}
