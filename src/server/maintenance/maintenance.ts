// Hourly maintenance, and the jobs of every minute: reminders, and what depends on the disk's free space.

import { sendAuditReminders } from '../audits/reminders.ts';
import { checkpoint } from '../db/connect.ts';
import { clearOldReplies } from '../db/idempotency.ts';
import { removeTraces } from '../db/remove-traces.ts';
import { mergeSearchIndexes } from '../db/search.ts';
import { writeWaitingEntries } from '../db/write-transaction.ts';
import { purgeDeleted } from '../deletions/soft-delete.ts';
import { remindOfReviews } from '../holds/holds.ts';
import type { Services } from '../http/handler-context.ts';
import { remindOfInvestigations } from '../investigations/reminders.ts';
import { remindOfDeadlines } from '../law/reminders.ts';
import { deleteEndedCounters } from '../messages/counters.ts';
import { remindOfMessages } from '../messages/reminders.ts';
import { tellOfWaitingMessages } from '../messages/tell.ts';
import { deleteOldNotifications } from '../notifications/store.ts';
import { sendWeeklyDigest } from '../overview/digest.ts';
import { expirePacks, getPackPath, markFileDeleted } from '../packs/store.ts';
import { eraseContacts } from '../retention/erase-contacts.ts';
import { createMonthlyList } from '../retention/handlers.ts';
import { deleteOldJunk } from '../retention/junk.ts';
import { insertComingChecks, writeChangedChecks } from '../schedules/due-checks.ts';
import { notifyOfMissedChecks } from '../schedules/missed.ts';
import { deleteOldDeviceSignIns } from '../sign-in/devices/shared-devices.ts';
import { remindOfSecondFactors } from '../sign-in/factors/reminders.ts';
import { deleteOldWaitingIdentities } from '../sign-in/session/identity-links.ts';
import { deleteExpiredTokens } from '../sign-in/session/one-use-tokens.ts';
import { deleteExpiredSessions } from '../sign-in/session/session.ts';
import { deleteExpiredAttempts } from '../sign-in/throttle/throttle.ts';
import { deleteExpiredEmailChanges } from '../users/email-changes.ts';
import { updatePurgeDelay } from './clock-jump.ts';
import { deleteOrphanedPreviews, deleteUnusedUploads } from './unused-uploads.ts';

const minute = 60_000;
const quietHour = 3;

type MaintenanceServices = Pick<Services, 'db' | 'config' | 'clock' | 'files' | 'log'> & {
  previews: Pick<Services['previews'], 'store'>;
};

/**
 * Runs the hourly maintenance once. After a clock jump it deletes only what has expired of sessions,
 * tokens, sign-ins and counters, and inserts only checks that can still be filled in.
 */
export async function runHourlyMaintenance(services: MaintenanceServices): Promise<void> {
  const { db, config, log, previews } = services;
  const now = services.clock();
  await deleteExpiredSessions(db, config.sessions, now);
  await deleteExpiredTokens(db, now);
  await deleteExpiredAttempts(db, now);
  await deleteEndedCounters(db, now);
  await deleteOldDeviceSignIns(db, now);
  await deleteOldWaitingIdentities(db, now);
  await deleteExpiredEmailChanges(db, now);
  if (now.getUTCHours() === quietHour) await checkpoint(db);
  await removeTraces(db, log);
  const purgeDelay = await updatePurgeDelay(db, now);
  await insertComingChecks(db, now, { isClockTrusted: purgeDelay === 0 });
  if (purgeDelay > 0) {
    const hours = Math.ceil(purgeDelay / (60 * minute));
    log.warn({ now, hours }, 'the clock jumped, or the server was suspended: nothing is removed for these hours');
    return;
  }
  await clearOldReplies(db, now);
  await deleteOldNotifications(db, now);
  await remindOfReviews(db, now);
  if ((await eraseContacts(db, now)) > 0) await removeTraces(db, log);
  await createMonthlyList({ db, config, clock: () => now });
  // Use the time that was checked for clock jumps, because the clock may jump again during the
  // cleanup.
  const fixedTimeServices = { ...services, clock: () => now };
  const purged = await purgeDeleted(fixedTimeServices);
  if (purged > 0) await removeTraces(db, log);
  if (purged > 0) log.info({ purged }, 'permanently deleted what was deleted 30 days ago');
  const junk = await deleteOldJunk(fixedTimeServices);
  if (junk > 0) await removeTraces(db, log);
  if (junk > 0) log.info({ junk }, 'deleted messages of guests that were closed as junk 30 days ago');
  for (const id of await expirePacks(db, now)) {
    await services.files.remove(getPackPath(id));
    await markFileDeleted(db, id);
  }
  const deletedUploads = await deleteUnusedUploads(fixedTimeServices);
  await deleteOrphanedPreviews(db, previews.store, now);
  if (deletedUploads.unattached + deletedUploads.orphaned > 0) log.info(deletedUploads, 'removed unused uploads');
}

/** Sends the notifications that are due at certain times of the day. */
async function sendReminders({ db, config }: Pick<Services, 'db' | 'config'>, now: Date): Promise<void> {
  await sendAuditReminders(db, now);
  await remindOfInvestigations(db, now);
  await tellOfWaitingMessages(db, now);
  await remindOfMessages(db, now);
  await sendWeeklyDigest(db, now);
  await remindOfDeadlines(db, now);
  await notifyOfMissedChecks(db, now);
  await remindOfSecondFactors(db, config, now);
}

/**
 * Merges search indexes only if the disk has space, because merging needs more of it temporarily.
 */
async function mergeSearchIndexesIfSpaceIsFree({ db, space }: Pick<Services, 'db' | 'space'>): Promise<void> {
  const isFree = await space.check('write').then(
    () => true,
    () => false,
  );
  if (isFree) await mergeSearchIndexes(db);
}

/** Does at the start what must not wait for the first hourly maintenance. */
async function catchUp({ db, log, clock }: Pick<Services, 'db' | 'log' | 'clock'>): Promise<void> {
  const now = clock();
  await removeTraces(db, log);
  await deleteExpiredAttempts(db, now);
  await insertComingChecks(db, now, { isClockTrusted: false });
}

/** Starts the hourly maintenance and the jobs of every minute; returns a function that stops them. */
export async function startMaintenance(services: Services): Promise<() => void> {
  const logError = (error: unknown) => services.log.error({ err: error }, 'a scheduled job failed');
  const logged = (work: () => Promise<unknown>) => () => void work().catch(logError);
  // A full disk must not stop the start.
  await catchUp(services).catch(logError);
  const timers = [
    setInterval(
      logged(() => runHourlyMaintenance(services)),
      60 * minute,
    ),
    // Search indexes are merged with a timer of their own, so that an error there does not prevent
    // the other maintenance.
    setInterval(
      logged(() => mergeSearchIndexesIfSpaceIsFree(services)),
      60 * minute,
    ),
    setInterval(logged(services.space.maintainBallast), minute),
    setInterval(
      logged(() => writeWaitingEntries(services.db)),
      minute,
    ),
    setInterval(
      logged(() => writeChangedChecks(services.db, services.clock(), { isClockTrusted: false })),
      minute,
    ),
    setInterval(
      logged(() => sendReminders(services, services.clock())),
      minute,
    ),
  ];
  return () => timers.forEach(clearInterval);
}
