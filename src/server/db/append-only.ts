// Makes the activity log append-only with triggers; on PostgreSQL the server's role also loses the
// rights to change it.
import { type Kysely, sql } from 'kysely';
import { lockActivity } from './activity-log.ts';
import { getEngine } from './connect.ts';
import type { Database } from './schema.ts';

/** Makes the database reject updates and deletes on the table, whose primary key is `key`. */
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
  // "insert or replace" deletes the old row without firing the trigger above.
  await sql`create trigger ${sql.ref(`${table}_refuses_replace`)} before insert on ${name}
    when exists (select 1 from ${name} where ${sql.ref(key)} = ${sql.ref(`new.${key}`)})
    begin select raise(abort, 'This table is append-only.'); end`.execute(db);
}

/**
 * Revokes the rights to change, delete and truncate the log from the PostgreSQL role the server
 * uses, even if it owns the table. Runs at each start, because a restored backup has no rights.
 * Superusers are not affected.
 */
export async function revokeLogUpdates(db: Database): Promise<void> {
  if (getEngine(db) === 'sqlite') return;
  await db.transaction().execute(async (db) => {
    await lockActivity(db); // prevents two starting instances from conflicting
    await sql`revoke update, delete, truncate on activity from public, current_user`.execute(db);
  });
}
