// PINs of staff, with which they sign in on the shared devices of their parks.
import { sql } from 'kysely';
import { canSeePark } from '#shared/access.ts';
import { addDays } from '#shared/calendar.ts';
import { getToday } from '#shared/dates.ts';
import { getParkInstant } from '#shared/schedules/park-time.ts';
import type { Database } from '../../db/schema.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { Secrets } from '../../secrets/secrets.ts';
import { parseStoredParks } from '../../user-parks.ts';
import { hashPassword, verifyPassword } from '../session/passwords.ts';
import { checkInTurn, formatWait } from '../throttle/sign-in-throttle.ts';
import { countAttempt, deleteAttempts, deleteAttemptsByPrefix } from '../throttle/throttle.ts';

const quarterHour = 15 * 60;
const hour = 60 * 60;

/**
 * Wrong PINs: of a user on a device in a row, of a user on all devices in a day, and of all users on a device in an
 * hour.
 */
const limits = { inARow: 5, day: 40, device: 30 };
/** How long the user waits on a device after five wrong PINs, and after five more; then until midnight. */
const pauses = [quarterHour, hour];

/** Replaces the user's PIN, and ends the sessions that were started with the earlier one. */
export async function insertPin(db: Database, secrets: Secrets, userId: string, pin: string, now: Date) {
  const pinRow = {
    pin_hash: secrets.encrypt(await hashPassword(pin), userId),
    created_at: now.toISOString(),
  };
  await db
    .insertInto('pins')
    .values({ user_id: userId, ...pinRow })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(pinRow))
    .execute();
  await allowPin(db, userId);
  await deletePinSessions(db, userId);
}

/** Ends the sessions that were started with the PIN too. */
export async function deletePin(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('pins').where('user_id', '=', userId).execute();
  await deletePinSessions(db, userId);
}

async function deletePinSessions(db: Database, userId: string): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('method', '=', 'PIN').execute();
}

const createKeys = (userId: string, deviceId: string) => ({
  inARow: `pin ${userId} ${deviceId}`,
  pauses: `pin-pauses ${userId} ${deviceId}`,
  day: `pin-day ${userId}`,
  device: `pin-device ${deviceId}`,
});

/** A user who has entered their password, or has a new PIN, may use it again at once. */
export async function allowPin(db: Database, userId: string): Promise<void> {
  // In the order in which attempts lock these rows.
  await deleteAttemptsByPrefix(db, `pin ${userId}`);
  await deleteAttempts(db, createKeys(userId, '').day);
  await deleteAttemptsByPrefix(db, `pin-pauses ${userId}`);
}

type Device = { id: string; park: string };

/** Returns the staff of the device's park who have a PIN, those who signed in on it last first. */
export async function listPinUsers(db: Database, { id, park }: Device): Promise<{ id: string; name: string }[]> {
  const rows = await db
    .selectFrom('users')
    .innerJoin('pins', 'pins.user_id', 'users.id')
    .leftJoin('device_sign_ins', (join) =>
      join.onRef('device_sign_ins.user_id', '=', 'users.id').on('device_id', '=', id),
    )
    .select(['users.id', 'username', 'full_name', 'parks'])
    .where('role', '=', 'None')
    .where('deleted_at', 'is', null)
    .groupBy(['users.id', 'username', 'username_key', 'full_name', 'parks'])
    .orderBy(sql`coalesce(max(at), '')`, 'desc')
    .orderBy('username_key')
    .execute();
  return rows
    .filter(({ parks }) => canSeePark({ parks: parseStoredParks(parks) }, park))
    .map(({ id, username, full_name }) => ({ id, name: full_name || username }));
}

type PinAttempt = { db: Database; secrets: Secrets; now: Date };

/**
 * Checks the PIN of a user who may sign in on the device. Each attempt is counted in the database before, so that
 * simultaneous ones are too. Throws 401 if it is wrong, and 429 during a pause.
 */
export async function checkPin({ db, secrets, now }: PinAttempt, device: Device, userId: string, pin: string) {
  const keys = createKeys(userId, device.id);
  const untilMidnight = getSecondsUntilMidnight(now);
  const startPause = async () => {
    const { count } = await countAttempt(db, keys.pauses, untilMidnight, now);
    return pauses[count - 1] ?? untilMidnight;
  };
  const row = await db.selectFrom('pins').select('pin_hash').where('user_id', '=', userId).executeTakeFirst();
  const result = await checkInTurn(
    { db, now },
    [
      { key: keys.inARow, count: limits.inARow, seconds: untilMidnight, pause: startPause },
      { key: keys.day, count: limits.day, seconds: untilMidnight },
      { key: keys.device, count: limits.device, seconds: hour, pause: hour, staysAfterSuccess: true },
    ],
    () => verifyPassword(row && secrets.decrypt(row.pin_hash, userId), pin),
    createPause,
  );
  if (result !== 'right') throw createWrongPinError();
  await deleteAttempts(db, keys.pauses);
}

function getSecondsUntilMidnight(now: Date): number {
  const midnight = getParkInstant(addDays(getToday(now), 1), '00:00', 'first');
  return Math.max(1, Math.ceil((midnight - now.getTime()) / 1000));
}

const createPause = (retryAfter: number) =>
  new HttpError(
    429,
    `There were too many wrong PINs. Sign in with your password, or wait ${formatWait(retryAfter)} and try again.`,
    { code: 'PIN_PAUSE', retryAfter },
  );

export const createWrongPinError = () =>
  new HttpError(401, 'This is not the right PIN', { code: 'WRONG_PIN', fields: { pin: 'This is not the right PIN' } });
