// The activity log is only ever added to: its triggers say so to everybody, and on PostgreSQL the server's own role has no right to more.
import { type Kysely, sql } from 'kysely';
import { lockActivity } from './activity-log.ts';
import { getEngine } from './connect.ts';
import type { Database } from './schema.ts';

/** Makes the database itself refuse to change or delete a row of the table, whose primary key is `key`. */
export async function makeAppendOnly(db: Kysely<unknown>, table: string, key: string): Promise<void> {
  const name = sql.ref(table);
  if (getEngine(db) === 'postgres') {
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

/**
 * Takes from PostgreSQL's role that the server runs as, owner or not, the rights to change, delete and empty the log. At each start:
 * a restored backup brings no rights with it. A superuser is not bound by rights.
 */
export async function revokeLogUpdates(db: Database): Promise<void> {
  if (getEngine(db) === 'sqlite') return;
  await db.transaction().execute(async (db) => {
    await lockActivity(db); // two copies that start at once would trip over each other
    await sql`revoke update, delete, truncate on activity from public, current_user`.execute(db);
  });
}
