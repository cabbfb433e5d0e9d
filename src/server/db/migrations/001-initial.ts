import type { Kysely } from 'kysely';
import { makeAppendOnly } from '../append-only.ts';
import { createSearchIndex } from '../search.ts';
import { runDdl } from '../tables.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await runDdl(
    db,
    `
create table users (
  id text primary key,
  username text not null,
  username_key text not null,
  password_hash text not null,
  must_change_password integer not null default 0,
  role text not null,
  park text not null,
  created_at text not null,
  last_sign_in_at text,
  deleted_at text
);
create unique index users_by_name on users (username_key) where deleted_at is null;

create table sessions (
  token_hash text primary key,
  user_id text not null references users (id),
  created_at text not null,
  last_seen_at text not null
);
create index sessions_by_user on sessions (user_id, created_at);

create table throttles (
  key text primary key,
  count integer not null,
  resets_at text not null
);

create table replies (
  user_id text not null references users (id),
  route text not null,
  key text not null,
  fingerprint text not null,
  status integer not null,
  body text,
  created_at text not null,
  primary key (user_id, route, key)
);
create index replies_by_age on replies (created_at) where body is not null;

create table counters (
  name text primary key,
  value bigint not null
);

create table uploads (
  path text primary key,
  label text not null,
  type text not null,
  size integer not null,
  blank integer not null,
  sha256_received text not null,
  sha256_stored text not null,
  uploaded_by text not null references users (id),
  created_at text not null,
  attached_to text,
  attached_id text,
  check ((attached_to is null) = (attached_id is null))
);
create index uploads_loose on uploads (uploaded_by, created_at) where attached_id is null;
create index uploads_attached on uploads (attached_id);
create index uploads_by_age on uploads (uploaded_by, created_at);

create table deletions (
  id text primary key,
  thing text not null,
  thing_id text not null,
  label text not null,
  deleted_at text not null,
  deleted_by text not null references users (id),
  deleted_by_name text not null,
  park text
);
create index deletions_by_age on deletions (deleted_at);

create table reports (
  id text primary key,
  position bigint not null unique,
  number text not null unique,
  "reportType" text not null,
  "selectedPlace" text not null,
  name text not null,
  age integer,
  "contactNumber" text not null,
  reporter text not null,
  date text not null,
  time text not null,
  month text not null,
  type text not null,
  location text not null,
  "employmentStatus" text not null,
  "emergencyService" text not null,
  details text not null,
  "mediaFiles" text not null,
  signature text references uploads (path),
  "affectedUserSignature" text references uploads (path),
  search_text text not null,
  fingerprint text not null,
  created_at text not null,
  created_by text not null references users (id),
  created_by_name text not null,
  deletion_id text references deletions (id)
);
create index reports_listed on reports (position) where deletion_id is null;
create index reports_by_type on reports ("reportType", position, month) where deletion_id is null;
create index reports_by_month on reports ("reportType", month, position) where deletion_id is null;
create index reports_by_signature on reports (signature);

create table checklists (
  id text primary key,
  title text not null,
  version integer not null,
  created_at text not null,
  updated_at text not null,
  deletion_id text references deletions (id)
);

create table checklist_versions (
  checklist_id text not null references checklists (id),
  version integer not null,
  title text not null,
  sections text not null,
  created_at text not null,
  created_by text not null references users (id),
  primary key (checklist_id, version)
);

create table submissions (
  id text primary key,
  position bigint not null unique,
  number text not null unique,
  checklist_id text not null,
  checklist_version integer not null,
  checklist_title text not null,
  data text not null,
  search_text text not null,
  submitted_at text not null,
  submitted_by text not null references users (id),
  submitted_by_name text not null,
  deletion_id text references deletions (id),
  foreign key (checklist_id, checklist_version) references checklist_versions (checklist_id, version)
);
create index submissions_listed on submissions (position) where deletion_id is null;
create index submissions_by_title on submissions (checklist_title, position) where deletion_id is null;

create table submission_signatures (
  submission_id text not null references submissions (id),
  section integer not null,
  data_url text not null,
  primary key (submission_id, section)
);

create table folders (
  id text primary key,
  name text not null,
  description text not null,
  thumbnail text references uploads (path),
  park text not null,
  version integer not null,
  created_at text not null,
  created_by text not null references users (id),
  deletion_id text references deletions (id)
);
create index folders_by_park on folders (park, created_at) where deletion_id is null;

create table audits (
  id text primary key,
  folder_id text not null references folders (id),
  title text not null,
  date text,
  time text,
  is_urgent integer not null,
  completed integer not null,
  completed_by text,
  completed_at text,
  data text not null,
  version integer not null,
  created_at text not null,
  created_by text not null references users (id),
  deletion_id text references deletions (id)
);
create index audits_by_folder on audits (folder_id, created_at) where deletion_id is null;

create table activity (
  seq bigint primary key,
  at text not null,
  actor_id text,
  actor text not null,
  ip text not null,
  action text not null,
  thing text not null,
  thing_id text,
  label text not null,
  changes text,
  search_text text not null,
  request_id text not null,
  previous_hash text not null,
  hash text not null
);
create index activity_by_thing on activity (thing, thing_id, seq);
create index activity_by_time on activity (at);

create table activity_head (
  id integer primary key check (id = 1),
  seq bigint not null,
  hash text not null
);
insert into activity_head (id, seq, hash) values (1, 0, '');
`,
  );
  await createSearchIndex(db, 'reports');
  await createSearchIndex(db, 'submissions');
  await makeAppendOnly(db, 'activity', 'seq');
}
