// Shared devices: reviewers set them up, and staff sign in on them with a PIN.

import { canSeePark } from '#shared/access.ts';
import type { Config } from '../config.ts';
import { toUserLogFields } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { removeSessionSubscription } from '../notifications/push.ts';
import { checkPin, createWrongPinError, insertPin, listPinUsers } from '../sign-in/devices/pins.ts';
import {
  allowSharedDevice,
  createDeviceCookie,
  deleteSharedDevice,
  findSharedDevice,
  findSharedDeviceById,
  insertSharedDevice,
  isSharedDevice,
  listSharedDevices,
  touchSharedDevice,
} from '../sign-in/devices/shared-devices.ts';
import { notifyUser } from '../sign-in/factors/second-factors.ts';
import { mayUsePin } from '../sign-in/session/identity-links.ts';
import {
  createExpiredCookie,
  deleteSession,
  deleteUserSessions,
  type SignedInUser,
} from '../sign-in/session/session.ts';
import { assertCurrentPasswordAndFactor, hasJustUsedOneTimePassword } from './current-password.ts';
import { startSession } from './session-handlers.ts';
import { findUser, updatePassword } from './store.ts';

export const sharedDeviceHandlers = {
  async createSharedDevice({ user, body, now, config, writeTransaction, setCookie }) {
    if (!canSeePark(user, body.park)) throw new HttpError(403, 'You do not have access to this park');
    const token = await writeTransaction(async (db, logActivity) => {
      const { id, token } = await insertSharedDevice(db, { ...body, by: user.id }, now);
      logActivity({ action: 'set up', thing: 'device', thing_id: id, label: describe(body) });
      await deleteSession(db, user.tokenHash);
      await removeSessionSubscription(db, user.tokenHash);
      return token;
    });
    setCookie(createDeviceCookie(token, config));
    setCookie(createExpiredCookie(config.isSecure));
  },

  async getOwnSharedDevice(context) {
    const { db, now, config, setCookie } = context;
    const device = await findSharedDevice(db, context);
    if (!device && (await isSharedDevice(db, context)))
      throw new HttpError(403, 'An Admin must allow this device again', { code: 'NOT_ALLOWED_YET' });
    if (!device) throwNotShared();
    await touchSharedDevice(db, device.id, now);
    setCookie(createDeviceCookie(device.token, config));
    const { park, name } = device;
    return { park, name, idleMinutes: config.sharedDeviceIdleMinutes, people: await listPinUsers(db, device) };
  },

  listSharedDevices: async ({ db, user }) => (await listSharedDevices(db)).filter(({ park }) => canSeePark(user, park)),

  allowSharedDevice: ({ user, params, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const device = await findVisibleDevice(db, user, params.id);
      await allowSharedDevice(db, device.id);
      logActivity({ action: 'allowed', thing: 'device', thing_id: device.id, label: describe(device) });
    }),

  removeSharedDevice: ({ user, params, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const device = await findVisibleDevice(db, user, params.id);
      await deleteSharedDevice(db, device.id);
      logActivity({ action: 'removed', thing: 'device', thing_id: device.id, label: describe(device) });
    }),

  async signInWithPin(context) {
    const { db, body, now, config, writeTransaction, setCookie } = context;
    const device = (await findSharedDevice(db, context)) ?? throwNotShared();
    // Only the PINs of users who may sign in here are counted.
    const requireUser = async (db: Database) => {
      const user = await findUser(db, body.user);
      if (user?.role !== 'None' || !canSeePark(user, device.park)) throw createWrongPinError();
      if (!(await mayUsePin(db, config, user.id, now))) throw createProviderNeededError(config);
      return user;
    };
    await requireUser(db);
    await checkPin(context, device, body.user, body.pin);
    const { role, newCookies } = await writeTransaction(async (db, logActivity) => {
      const user = await requireUser(db);
      return { role: user.role, newCookies: await startSession(context, db, logActivity, user, 'PIN') };
    });
    newCookies.forEach(setCookie);
    return { success: true, role };
  },

  async setPin(context) {
    const { db, user, body, now, secrets, writeTransaction } = context;
    if (user.fullRole !== 'None') throw new HttpError(403, 'PINs are for staff only');
    if (user.mustChangePassword && !(await findSharedDevice(db, context)))
      throw new HttpError(403, 'Please choose a new password first', { code: 'PASSWORD_CHANGE_NEEDED' });
    const storedUser = await findUser(db, user.id);
    if (body.currentPassword !== undefined || !hasJustUsedOneTimePassword(user, now))
      await assertCurrentPasswordAndFactor(context, storedUser?.password_hash, 'failed to set a PIN');
    await writeTransaction(async (db, logActivity) => {
      if ((await findUser(db, user.id))?.password_hash !== storedUser?.password_hash)
        throw new HttpError(401, 'Please sign in');
      await insertPin(db, secrets, user.id, body.pin, now);
      if (user.mustChangePassword) {
        // The PIN takes the place of the one-time password, which no longer works, and neither do its sessions.
        await updatePassword(db, user.id, '', false);
        await deleteUserSessions(db, user.id, user.tokenHash);
      }
      await notifyUser(db, now, user.id, 'You have a new PIN for shared devices', '/sessions');
      logActivity({ action: 'set a PIN', ...toUserLogFields(user) });
    });
  },
} satisfies Partial<Handlers>;

const describe = ({ name, park }: { name: string; park: string }) => `${name}, ${park}`;

async function findVisibleDevice(db: Database, user: SignedInUser, id: string) {
  const device = await findSharedDeviceById(db, id);
  if (!device || !canSeePark(user, device.park)) throw new HttpError(404, 'This device does not exist');
  return device;
}

function throwNotShared(): never {
  throw new HttpError(403, 'This device is not set up for sharing', { code: 'NOT_SHARED' });
}

const createProviderNeededError = ({ provider }: Config) =>
  new HttpError(403, `Sign in with ${provider?.label ?? 'single sign-on'} on another device first, or ask an Admin`, {
    code: 'PIN_BLOCKED',
  });
