// Audits: assigned users, the records they were created from, and notes. Older audits get the user
// whose username is the assignee, if that user may see the audit's park.
import { type Kysely, sql } from 'kysely';
import { getUsernameKey } from '#shared/users.ts';
import { runDdl } from '../tables.ts';

const page = 500;

export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
alter table audits add column assignee_id text;
alter table audits add column source_thing text;
alter table audits add column source_id text;
alter table audits add column source_label text;
alter table audits add column source_section integer;
alter table audits add column due text not null default '9999-12-31 24:00';

create table audit_notes (
  id text primary key,
  audit_id text not null,
  words text not null,
  media_files text not null,
  created_at text not null,
  created_by text not null,
  created_by_name text not null
);
create index audit_notes_by_audit on audit_notes (audit_id, created_at);
`,
  );
  await sql`update audits set due = coalesce(nullif(date, ''), '9999-12-31') || ' ' || coalesce(nullif(time, ''), '24:00')`.execute(
    db,
  );
  await setAssignees(db);
  await runDdl(
    db,
    `
create index audits_open on audits (completed, due, id) where deletion_id is null;
create index audits_by_assignee on audits (assignee_id, completed, due, id) where deletion_id is null;
create index audits_by_source on audits (source_id);
`,
  );
}

async function setAssignees(db: Kysely<unknown>): Promise<void> {
  const { rows: people } = await sql<{ id: string; username_key: string; park: string }>`
    select id, username_key, park from users where deleted_at is null`.execute(db);
  const users = new Map(people.map((user) => [user.username_key, user]));
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; data: string; park: string }>`
      select audits.id, audits.data, folders.park from audits join folders on folders.id = audits.folder_id
      where audits.id > ${after} order by audits.id limit ${page}`.execute(db);
    for (const { id, data, park } of rows) {
      const user = users.get(getUsernameKey(readAssignee(data)));
      if (user && (user.park === '' || user.park === park))
        await sql`update audits set assignee_id = ${user.id} where id = ${id}`.execute(db);
    }
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** Returns the assignee in an audit's JSON, or '' if the JSON is damaged. */
function readAssignee(data: string): string {
  try {
    return String((JSON.parse(data) as { assignee?: unknown }).assignee ?? '');
  } catch {
    return '';
  }
}
