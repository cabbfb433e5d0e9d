// The tables for Kysely. Columns have the API's field names; timestamps are ISO 8601 UTC text, days
// YYYY-MM-DD, booleans 0/1, lists and objects JSON text. `deletion_id` is null unless deleted.
import type { Kysely } from 'kysely';
import type { AccountTables } from './schema/accounts.ts';
import type { LawTables } from './schema/law.ts';
import type { LogTables } from './schema/log.ts';
import type { NotificationTables } from './schema/notifications.ts';
import type { PackTables } from './schema/packs.ts';
import type { RecordTables } from './schema/records.ts';
import type { ScheduleTables } from './schema/schedules.ts';

export type Tables = AccountTables &
  NotificationTables &
  RecordTables &
  ScheduleTables &
  LawTables &
  PackTables &
  LogTables;

export type Database = Kysely<Tables>;
