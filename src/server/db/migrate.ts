// Migrations, each in its own transaction together with the row that records it.
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { getEngine } from './connect.ts';
import * as initial from './migrations/001-initial.ts';
import * as signedBy from './migrations/002-signed-by.ts';
import * as keptReplies from './migrations/003-kept-replies.ts';
import * as reportSearch from './migrations/004-report-search.ts';
import * as submissionParks from './migrations/005-submission-parks.ts';
import * as law from './migrations/006-law.ts';
import * as notifications from './migrations/007-notifications.ts';
import * as schedules from './migrations/008-schedules.ts';
import * as auditFollowUp from './migrations/009-audit-follow-up.ts';
import * as failingAnswers from './migrations/010-failing-answers.ts';
import * as retention from './migrations/011-retention.ts';
import * as reportMonths from './migrations/012-report-months.ts';
import * as firstOpened from './migrations/013-first-opened.ts';
import * as accessRequests from './migrations/014-access-requests.ts';
import * as parkSettings from './migrations/015-park-settings.ts';
import * as packs from './migrations/016-packs.ts';
import * as lawHashes from './migrations/017-law-hashes.ts';
import * as blanked from './migrations/018-blanked.ts';
import * as lastDeliveries from './migrations/019-last-deliveries.ts';
import * as usersByRole from './migrations/020-users-by-role.ts';
import * as smallerIndexes from './migrations/021-smaller-indexes.ts';
import * as ruleSets from './migrations/022-rule-sets.ts';
import * as exposureHolds from './migrations/023-exposure-holds.ts';
import * as packsOfParks from './migrations/024-packs-of-parks.ts';
import * as secretsKey from './migrations/025-secrets-key.ts';
import * as sessionDevices from './migrations/026-session-devices.ts';
import * as parkAssignees from './migrations/027-park-assignees.ts';
import * as scheduleWindows from './migrations/028-schedule-windows.ts';
import * as severalParks from './migrations/029-several-parks.ts';
import * as hazards from './migrations/030-hazards.ts';
import * as secondFactors from './migrations/031-second-factors.ts';
import * as verifications from './migrations/032-verifications.ts';
import * as confirmedSessions from './migrations/033-confirmed-sessions.ts';
import * as places from './migrations/034-places.ts';
import * as investigations from './migrations/035-investigations.ts';
import * as passkeys from './migrations/036-passkeys.ts';
import * as browsers from './migrations/037-browsers.ts';
import * as labels from './migrations/038-labels.ts';
import * as guestMessages from './migrations/039-guest-messages.ts';
import * as guestSettings from './migrations/040-guest-settings.ts';
import * as lessons from './migrations/041-lessons.ts';
import * as sharedDevices from './migrations/042-shared-devices.ts';
import * as singleSignOn from './migrations/043-single-sign-on.ts';
import type { Database } from './schema.ts';

/** The migrations by name. They run in the order of their names. */
export type Migrations = Record<string, Migration>;

export const migrations: Migrations = {
  '001-initial': initial,
  '002-signed-by': signedBy,
  '003-kept-replies': keptReplies,
  '004-report-search': reportSearch,
  '005-submission-parks': submissionParks,
  '006-law': law,
  '007-notifications': notifications,
  '008-schedules': schedules,
  '009-audit-follow-up': auditFollowUp,
  '010-failing-answers': failingAnswers,
  '011-retention': retention,
  '012-report-months': reportMonths,
  '013-first-opened': firstOpened,
  '014-access-requests': accessRequests,
  '015-park-settings': parkSettings,
  '016-packs': packs,
  '017-law-hashes': lawHashes,
  '018-blanked': blanked,
  '019-last-deliveries': lastDeliveries,
  '020-users-by-role': usersByRole,
  '021-smaller-indexes': smallerIndexes,
  '022-rule-sets': ruleSets,
  '023-exposure-holds': exposureHolds,
  '024-packs-of-parks': packsOfParks,
  '025-secrets-key': secretsKey,
  '026-session-devices': sessionDevices,
  '027-park-assignees': parkAssignees,
  '028-schedule-windows': scheduleWindows,
  '029-several-parks': severalParks,
  '030-hazards': hazards,
  '031-second-factors': secondFactors,
  '032-verifications': verifications,
  '033-confirmed-sessions': confirmedSessions,
  '034-places': places,
  '035-investigations': investigations,
  '036-passkeys': passkeys,
  '037-browsers': browsers,
  '038-labels': labels,
  '039-guest-messages': guestMessages,
  '040-guest-settings': guestSettings,
  '041-lessons': lessons,
  '042-shared-devices': sharedDevices,
  '043-single-sign-on': singleSignOn,
};

/**
 * Runs missing migrations. Throws if a newer version has used the database. A failed migration
 * changes nothing.
 */
export async function migrate(db: Database, knownMigrations = migrations): Promise<void> {
  assertNotNewer(await listAppliedMigrations(db), knownMigrations);
  for (const [name, { up }] of Object.entries(knownMigrations))
    await db
      .transaction()
      .execute(async (db) => {
        // Take a lock, because another instance may be starting on the same PostgreSQL.
        if (getEngine(db) === 'postgres') await sql`select pg_advisory_xact_lock(4117202611)`.execute(db);
        if ((await listAppliedMigrations(db)).includes(name)) return;
        await up(db);
        await sql`create table if not exists kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(
          db,
        );
        await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(
          db,
        );
      })
      .catch((cause: Error) => {
        throw new Error(`The migration ${name} failed and has changed nothing: ${cause.message}`, { cause });
      });
}

/** Throws if the database has a migration that this version does not know. */
export function assertNotNewer(applied: string[], knownMigrations = migrations): void {
  if (applied.some((name) => !(name in knownMigrations)))
    throw new Error(
      'This database was used by a newer version of the program. Start that version, or restore a backup.',
    );
}

/** Whether the database has exactly this version's migrations. */
export async function isMigrated(db: Database, knownMigrations = migrations): Promise<boolean> {
  return (await listAppliedMigrations(db)).join() === Object.keys(knownMigrations).join();
}

/** Returns the applied migrations; none if the database is empty. */
export async function listAppliedMigrations(db: Database): Promise<string[]> {
  // Kysely's own list of tables reads every column of each, which takes longer than most
  // migrations. PostgreSQL's `to_regclass` may answer from a cache that was filled before this
  // connection waited for the lock.
  const hasMigrationTable =
    getEngine(db) === 'postgres'
      ? sql`select 1 from pg_tables where tablename = 'kysely_migration' and schemaname = current_schema()`
      : sql`select 1 from sqlite_master where name = 'kysely_migration'`;
  if ((await hasMigrationTable.execute(db)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map(({ name }) => name);
}
