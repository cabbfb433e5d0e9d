import { type Kysely, sql } from 'kysely';
import { engineOf } from './connect.ts';

/** Makes the database itself refuse to change or delete a row of the table, whose primary key is `key`. */
export async function guardAgainstChange(db: Kysely<unknown>, table: string, key: string): Promise<void> {
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
  // "insert or replace" deletes the old row without asking the trigger above.
  await sql`create trigger ${sql.ref(`${table}_refuses_replace`)} before insert on ${name}
    when exists (select 1 from ${name} where ${sql.ref(key)} = ${sql.ref(`new.${key}`)})
    begin select raise(abort, 'This table is append-only.'); end`.execute(db);
}
