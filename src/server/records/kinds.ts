// Every kind of record. Each is declared in the folder of its feature.
import type { KindWith, RecordKindName } from '#shared/record-kinds.ts';
import { auditKind, folderKind } from '../audits/kinds.ts';
import { checklistKind, submissionKind } from '../checklists/kinds.ts';
import type { Database, Tables } from '../db/schema.ts';
import { investigationKind, lessonKind } from '../investigations/kinds.ts';
import { messageKind } from '../messages/kind.ts';
import { placeKind } from '../places/kind.ts';
import type { KindOfPark, RecordKind } from '../record-kind.ts';
import { reportKind } from '../reports/kind.ts';
import { checkKind, scheduleKind } from '../schedules/kinds.ts';
import { deviceKind, userKind } from '../users/kinds.ts';
import { accessRequestKind, holdKind, packKind } from './other-kinds.ts';

/** In the order in which lists show them. */
export const kinds: { [K in RecordKindName]: K extends KindWith<'ofItsPark'> ? KindOfPark : RecordKind } = {
  report: reportKind,
  submission: submissionKind,
  audit: auditKind,
  folder: folderKind,
  checklist: checklistKind,
  schedule: scheduleKind,
  check: checkKind,
  investigation: investigationKind,
  lesson: lessonKind,
  message: messageKind,
  place: placeKind,
  pack: packKind,
  device: deviceKind,
  user: userKind,
  accessRequest: accessRequestKind,
  hold: holdKind,
};

export const kindEntries = Object.entries(kinds) as [RecordKindName, RecordKind][];

/** Returns the kind with this name, as the log, the bin and the ledger store it; undefined if there is none. */
export const findKind = (name: string): RecordKind | undefined =>
  Object.hasOwn(kinds, name) ? kinds[name as RecordKindName] : undefined;

/** Tables without a kind, by reason. A test compares them with the schema. */
export const tablesWithoutKind: Record<string, string[]> = {
  'no record, because it belongs to an account and goes with it': [
    ...['authenticators', 'browsers', 'device_sign_ins', 'email_changes', 'factor_resets', 'identity_links'],
    ...['notifications', 'notifications_off', 'one_use_tokens', 'passkeys', 'pins', 'push_subscriptions'],
    ...['recovery_codes', 'sessions', 'used_app_codes'],
  ],
  'no record, because it waits for an Admin to link or refuse it': ['waiting_identities'],
  'no record, because it says what happened to records': [
    ...['activity', 'activity_head', 'blanked', 'deletions', 'destroyed', 'record_statistics', 'releases'],
    ...['retention_lists', 'report_months'],
  ],
  'no record, because it is a message about a record, and goes with that': ['deliveries', 'delivery_attempts'],
  'no record, because it is a file of a record': ['uploads'],
  'no record, because it is a setting': ['park_closures', 'park_settings', 'rule_sets'],
  'no record, because the server works with it': [
    ...['counters', 'guest_counters', 'push_keys', 'replies', 'secrets_key', 'throttles'],
  ],
};

type PackItem = { thing: Tables['pack_items']['thing']; thing_id: string };

/** Returns what packs may contain of a record. */
export const listPackItems = async (db: Database, name: string, id: string): Promise<PackItem[]> =>
  (await findKind(name)?.listPackItems?.(db, id)) ?? [];
