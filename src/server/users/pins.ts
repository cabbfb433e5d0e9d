// PINs of staff, with which they sign in on the shared devices of their parks.
import { sql } from 'kysely';
import { canSeePark } from '#shared/access.ts';
import { hashPassword, verifyPassword } from '../auth/passwords.ts';
import type { Database } from '../db/schema.ts';
import { countAttempt, deleteAttempts, extendAttempts, getAttempts, uncountAttempt } from '../db/throttle.ts';
import { parseStoredParks } from '../db/user-parks.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Secrets } from '../secrets/secrets.ts';

const quarterHourSeconds = 15 * 60;
const hourSeconds = 60 * 60;
/** Wrong PINs: of a user on a device in 15 minutes, of all users on a device in an hour, and of a user in a row. */
const limits = { pair: 5, device: 30, inARow: 10 };

/** Replaces the user's PIN, and ends the sessions that were started with the earlier one. */
export async function insertPin(db: Database, secrets: Secrets, userId: string, pin: string, now: Date) {
  const pinRow = {
    pin_hash: secrets.encrypt(await hashPassword(pin), userId),
    wrong_attempts: 0,
    created_at: now.toISOString(),
  };
  await db
    .insertInto('pins')
    .values({ user_id: userId, ...pinRow })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(pinRow))
    .execute();
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

/** A user who has entered their password may use the PIN again. */
export async function allowPin(db: Database, userId: string): Promise<void> {
  await db.updateTable('pins').set({ wrong_attempts: 0 }).where('user_id', '=', userId).execute();
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
 * Checks a PIN. Each attempt is counted in the database before, so that simultaneous ones are too. Throws
 * 401 if it is wrong, 429 during a pause, and 403 if the user must enter their password first.
 */
export async function checkPin({ db, secrets, now }: PinAttempt, device: Device, userId: string, pin: string) {
  const keys = { device: `pin-device ${device.id}`, pair: `pin ${device.id} ${userId}` };
  await assertNoPause(db, keys.device, limits.device, now);
  await assertNoPause(db, keys.pair, limits.pair, now);
  const onDevice = await countAttempt(db, keys.device, hourSeconds, now);
  if (onDevice.count > limits.device) throw createPause(onDevice.retryAfter);
  const ofPair = await countAttempt(db, keys.pair, quarterHourSeconds, now);
  if (ofPair.count > limits.pair) {
    await uncountAttempt(db, keys.device);
    throw createPause(ofPair.retryAfter);
  }
  const row = await db
    .updateTable('pins')
    .set({ wrong_attempts: sql`wrong_attempts + 1` })
    .where('user_id', '=', userId)
    .returning(['pin_hash', 'wrong_attempts'])
    .executeTakeFirst();
  if (row && row.wrong_attempts > limits.inARow) throw createBlockedError();
  if (await verifyPassword(row && secrets.decrypt(row.pin_hash, userId), pin)) {
    await allowPin(db, userId);
    await deleteAttempts(db, keys.pair);
    await uncountAttempt(db, keys.device);
    return;
  }
  if (ofPair.count === limits.pair) await extendAttempts(db, keys.pair, quarterHourSeconds, now);
  if (onDevice.count === limits.device) await extendAttempts(db, keys.device, hourSeconds, now);
  if (row?.wrong_attempts === limits.inARow) throw createBlockedError();
  throw createWrongPinError();
}

async function assertNoPause(db: Database, key: string, limit: number, now: Date): Promise<void> {
  const { count, retryAfter } = await getAttempts(db, key, now);
  if (count >= limit) throw createPause(retryAfter);
}

const createPause = (retryAfter: number) =>
  new HttpError(429, 'There were too many wrong PINs. Sign in with your password, or try again later.', {
    code: 'PIN_PAUSE',
    retryAfter,
  });

const createBlockedError = () =>
  new HttpError(
    403,
    'Your PIN was wrong ten times in a row. Sign in with your password, or ask a manager for a new password.',
    {
      code: 'PIN_BLOCKED',
    },
  );

export const createWrongPinError = () =>
  new HttpError(401, 'This is not the right PIN', { code: 'WRONG_PIN', fields: { pin: 'This is not the right PIN' } });
