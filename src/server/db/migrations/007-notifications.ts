import { createDdlMigration } from '../tables.ts';

/**
 * Adds full names and email addresses of users, notifications, their deliveries, and the channels
 * of each user.
 */
export const up = createDdlMigration(`
alter table users add column full_name text not null default '';
alter table users add column email text not null default '';

create table email_changes (
  token_hash text primary key,
  user_id text not null,
  email text not null,
  expires_at text not null
);
create index email_changes_by_user on email_changes (user_id);

create table notifications (
  id text primary key,
  position bigint not null,
  user_id text not null,
  kind text not null,
  event text not null,
  thing text not null,
  thing_id text not null,
  park text not null,
  words text not null,
  link text not null,
  created_at text not null,
  read_at text
);
create unique index notifications_once on notifications (user_id, event);
create index notifications_by_user on notifications (user_id, position);
create index notifications_unread on notifications (user_id) where read_at is null;
create index notifications_by_age on notifications (created_at);

create table notifications_off (
  user_id text not null,
  kind text not null,
  channel text not null,
  primary key (user_id, kind, channel)
);

create table deliveries (
  id text primary key,
  position bigint not null,
  user_id text not null,
  user_name text not null,
  channel text not null,
  subscription_id text not null,
  kind text not null,
  event text not null,
  thing text not null,
  thing_id text not null,
  park text not null,
  line text not null,
  link text not null,
  is_urgent integer not null,
  created_at text not null,
  due_at text not null,
  state text not null,
  attempts integer not null,
  leased_until text not null default ''
);
create unique index deliveries_once on deliveries (user_id, channel, subscription_id, event);
create index deliveries_by_state on deliveries (state, due_at);
create index deliveries_by_thing on deliveries (thing_id);
create index deliveries_recent on deliveries (user_id, kind, created_at);
create index deliveries_by_age on deliveries (created_at);

create table delivery_attempts (
  id text primary key,
  delivery_id text not null,
  message_id text not null,
  channel text not null,
  at text not null,
  is_accepted integer not null,
  answer text not null
);
create index delivery_attempts_by_delivery on delivery_attempts (delivery_id, at);
create index delivery_attempts_by_age on delivery_attempts (channel, at);

create table push_subscriptions (
  id text primary key,
  user_id text not null,
  session text not null,
  endpoint text not null unique,
  p256dh text not null,
  auth text not null,
  created_at text not null
);
create index push_subscriptions_by_user on push_subscriptions (user_id);
create index push_subscriptions_by_session on push_subscriptions (session);

create table push_keys (
  id integer primary key,
  public_key text not null,
  private_key text not null
);
`);
