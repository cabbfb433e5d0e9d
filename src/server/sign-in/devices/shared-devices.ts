// Devices that the staff of a park share: each has a token in a cookie, of which the database has the hash.
import { randomBytes } from 'node:crypto';
import type { SharedDevice } from '#shared/sign-in/shared-devices.ts';
import type { Config } from '../../config.ts';
import { findsRow } from '../../db/queries.ts';
import type { Database, Tables } from '../../db/schema.ts';
import { sha256 } from '../../hash.ts';
import { newId } from '../../ids.ts';
import { browserCookieSeconds } from '../session/browsers.ts';
import { createTokenCookie, deleteSessionsOfDevice, parseCookieToken, type SignedInUser } from '../session/session.ts';

type SharedDeviceRow = Tables['shared_devices'];

/** A device may send what a user submitted there if that user signed in on it in this time. */
const keepSignInsMs = 30 * 24 * 60 * 60_000;

type NewDevice = { park: string; name: string; by: string };

/** Stores a device. Returns its id and token. */
export async function insertSharedDevice(db: Database, { park, name, by }: NewDevice, now: Date) {
  const token = randomBytes(32).toString('base64url');
  const id = newId();
  const at = now.toISOString();
  await db
    .insertInto('shared_devices')
    .values({
      ...{ id, token_hash: sha256(token), park, name, is_allowed: 1 },
      ...{ created_at: at, created_by: by, last_used_at: at },
    })
    .execute();
  return { id, token };
}

/** Browsers keep a cookie for 400 days, so it is renewed while the device is used. */
export const createDeviceCookie = (token: string, { isSecure }: Pick<Config, 'isSecure'>) =>
  createTokenCookie('shared_device', token, isSecure, browserCookieSeconds);

type Caller = { cookies: string | undefined; config: Pick<Config, 'isSecure'> };

/** Returns the shared device that sends these cookies and its token, unless it was removed or is not allowed. */
export async function findSharedDevice(db: Database, caller: Caller) {
  const device = await findAnySharedDevice(db, caller);
  return device?.is_allowed === 1 ? device : undefined;
}

/** Whether a shared device sends these cookies: also one that an Admin must allow again after a restore. */
export const isSharedDevice = async (db: Database, caller: Caller): Promise<boolean> =>
  (await findAnySharedDevice(db, caller)) !== undefined;

async function findAnySharedDevice(db: Database, { cookies, config }: Caller) {
  const token = parseCookieToken(cookies, config.isSecure, 'shared_device');
  if (!token) return undefined;
  const device = await db
    .selectFrom('shared_devices')
    .selectAll()
    .where('token_hash', '=', sha256(token))
    .executeTakeFirst();
  return device && { ...device, token };
}

export const findSharedDeviceById = (db: Database, id: string): Promise<SharedDeviceRow | undefined> =>
  db.selectFrom('shared_devices').selectAll().where('id', '=', id).executeTakeFirst();

export async function listSharedDevices(db: Database): Promise<SharedDevice[]> {
  const rows = await db.selectFrom('shared_devices').selectAll().orderBy('park').orderBy('name').execute();
  return rows.map(({ id, park, name, created_at: createdAt, last_used_at: lastUsedAt, is_allowed }) => {
    return { id, park, name, createdAt, lastUsedAt, isAllowed: is_allowed === 1 };
  });
}

/** Ends the sessions on the device too. */
export async function deleteSharedDevice(db: Database, id: string): Promise<void> {
  await deleteSessionsOfDevice(db, id);
  await db.deleteFrom('device_sign_ins').where('device_id', '=', id).execute();
  await db.deleteFrom('shared_devices').where('id', '=', id).execute();
}

export async function allowSharedDevice(db: Database, id: string): Promise<void> {
  await db.updateTable('shared_devices').set({ is_allowed: 1 }).where('id', '=', id).execute();
}

export async function touchSharedDevice(db: Database, id: string, now: Date): Promise<void> {
  await db.updateTable('shared_devices').set({ last_used_at: now.toISOString() }).where('id', '=', id).execute();
}

export async function insertDeviceSignIn(db: Database, deviceId: string, userId: string, now: Date): Promise<void> {
  await db
    .insertInto('device_sign_ins')
    .values({ id: newId(), device_id: deviceId, user_id: userId, at: now.toISOString() })
    .execute();
}

/** Whether the user had signed in on the device by then. */
export const hasSignedInBy = (db: Database, deviceId: string, userId: string, at: string): Promise<boolean> =>
  findsRow(
    db
      .selectFrom('device_sign_ins')
      .where('device_id', '=', deviceId)
      .where('user_id', '=', userId)
      .where('at', '<=', at),
  );

const dayMs = 24 * 60 * 60_000;

/**
 * Returns the ids of the users who had a session on the device in the 24 hours before they submitted something there,
 * or since: any of them may have submitted it.
 */
export async function listDeviceUsers(
  db: Database,
  { id, madeAt }: NonNullable<SignedInUser['sharedDevice']>,
): Promise<string[]> {
  const since = new Date(Date.parse(madeAt) - dayMs).toISOString();
  const rows = await db
    .selectFrom('device_sign_ins')
    .select('user_id')
    .where('device_id', '=', id)
    .where('at', '>=', since)
    .union(
      db.selectFrom('sessions').select('user_id').where('shared_device_id', '=', id).where('last_seen_at', '>=', since),
    )
    .execute();
  return rows.map(({ user_id }) => user_id);
}

export async function deleteOldDeviceSignIns(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keepSignInsMs).toISOString();
  await db.deleteFrom('device_sign_ins').where('at', '<', oldest).execute();
}
