import { type Kysely, sql } from 'kysely';
import { runDdl } from '../tables.ts';

/**
 * Adds the messages of guests, and the account to which their uploads belong. It is marked as deleted, so no list
 * has it and no one can sign in with it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
create table guest_messages (
  id text primary key,
  form_id text not null unique,
  receipt_hash text not null unique,
  place_id text not null,
  park text not null,
  kind text,
  words text not null,
  media_files text not null,
  hurt text,
  name text not null,
  contact text not null,
  language text not null,
  created_at text not null,
  read_at text,
  read_by text,
  read_by_name text,
  closed_at text,
  closed_by text,
  closed_by_name text,
  reason text not null default '',
  answer text not null default '',
  audit_id text,
  report_id text
);
create index guest_messages_by_park on guest_messages (park, created_at);
create index guest_messages_by_place on guest_messages (place_id);
create index guest_messages_unclosed on guest_messages (created_at) where closed_at is null;
create index guest_messages_by_audit on guest_messages (audit_id) where audit_id is not null;
create index guest_messages_by_report on guest_messages (report_id) where report_id is not null;
`,
  );
  await sql`insert into users (id, username, username_key, password_hash, must_change_password, role, parks, created_at, deleted_at, full_name, email)
    values ('guests', 'Guests', 'guests', '', 0, 'None', '[]', ${new Date(0).toISOString()}, ${new Date(0).toISOString()}, '', '')`.execute(
    db,
  );
}
