import { type Kysely, sql } from 'kysely';
import { getEngine } from '../connect.ts';
import { runDdl } from '../tables.ts';

/**
 * Adds RIDDOR assessments with their history, notices to HSE, holds, and releases: with one, a
 * deleted report is destroyed before its legal period ends.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
create table assessments (
  id text primary key,
  report_id text not null unique,
  version integer not null,
  rule_set text not null,
  answers text not null,
  result text not null,
  particulars text not null,
  decision text,
  reason text,
  reason_salt text,
  decided_by text,
  decided_by_name text,
  decided_at text,
  settled integer not null,
  updated_at text not null,
  updated_by text not null,
  updated_by_name text not null
);
create index assessments_open on assessments (report_id) where settled = 0;

create table assessment_versions (
  id text primary key,
  assessment_id text not null,
  version integer not null,
  assessment text not null,
  saved_at text not null,
  saved_by text not null,
  saved_by_name text not null,
  unique (assessment_id, version)
);

create table riddor_notices (
  id text primary key,
  assessment_id text not null,
  duties text not null,
  how text not null,
  "on" text not null,
  hse_reference text,
  note text,
  created_at text not null,
  created_by text not null,
  created_by_name text not null
);
create index riddor_notices_by_assessment on riddor_notices (assessment_id, created_at);

create table holds (
  id text primary key,
  thing text not null,
  thing_id text not null,
  reason text not null,
  reason_salt text not null,
  review_on text not null,
  created_at text not null,
  created_by text not null,
  created_by_name text not null,
  lifted_at text,
  lifted_by_name text
);
create index holds_in_force on holds (thing, thing_id) where lifted_at is null;

create table releases (
  deletion_id text primary key,
  reason text not null,
  reason_salt text not null,
  created_at text not null,
  created_by text not null,
  created_by_name text not null
);
`,
  );
  for (const table of ['assessment_versions', 'riddor_notices']) await guardHistory(db, table);
}

/**
 * Makes the database reject changes of the table's rows, and their deletion while their assessment
 * exists.
 */
async function guardHistory(db: Kysely<unknown>, table: string): Promise<void> {
  const name = sql.ref(table);
  const isKept = sql`exists (select 1 from assessments where id = old.assessment_id)`;
  if (getEngine(db) === 'postgres') {
    await sql`create or replace function refuse_change_of_history() returns trigger language plpgsql as $$
      begin
        if tg_op = 'DELETE' and not exists (select 1 from assessments where id = old.assessment_id) then return old; end if;
        raise exception 'This table is append-only.';
      end $$`.execute(db);
    await sql`create trigger append_only before update or delete on ${name}
      for each row execute function refuse_change_of_history()`.execute(db);
    return;
  }
  const [changed, removed, replaced] = ['update', 'delete', 'replace'].map((verb) =>
    sql.ref(`${table}_refuses_${verb}`),
  );
  await sql`create trigger ${changed} before update on ${name}
    begin select raise(abort, 'This table is append-only.'); end`.execute(db);
  await sql`create trigger ${removed} before delete on ${name} when ${isKept}
    begin select raise(abort, 'This table is append-only.'); end`.execute(db);
  // "insert or replace" deletes the old row without firing the trigger above.
  await sql`create trigger ${replaced} before insert on ${name} when exists (select 1 from ${name} where id = new.id)
    begin select raise(abort, 'This table is append-only.'); end`.execute(db);
}
