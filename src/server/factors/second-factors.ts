// Which second factors a user has, and the check of a code from an app or a recovery code.
import type { OwnSecondFactors, SecondFactorMethod } from '#shared/second-factors.ts';
import type { SignInMethod } from '#shared/users.ts';
import type { ActivityEntry } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { countAttempt, deleteAttempts, extendAttempts, uncountAttempt } from '../db/throttle.ts';
import { HttpError } from '../errors/http-error.ts';
import type { HandlerContext } from '../http/handler-context.ts';
import { notify } from '../notifications/notify.ts';
import { consumeAppCode } from './app-codes.ts';
import { consumeRecoveryCode, countRecoveryCodes, findRecoveryCode } from './recovery-codes.ts';

const hourSeconds = 60 * 60;
const wrongCodesPerHour = 10;

export async function findSecondFactors(db: Database, userId: string): Promise<OwnSecondFactors> {
  const app = await db
    .selectFrom('authenticators')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('is_confirmed', '=', 1)
    .executeTakeFirst();
  return { appSince: app?.created_at ?? null, recoveryCodes: app ? await countRecoveryCodes(db, userId) : 0 };
}

/** Returns how the user can prove that it is them, besides the password; nothing if a password is enough. */
export async function listSecondFactorMethods(db: Database, userId: string): Promise<SecondFactorMethod[]> {
  const { appSince, recoveryCodes } = await findSecondFactors(db, userId);
  if (appSince === null) return [];
  return recoveryCodes > 0 ? ['app', 'recoveryCode'] : ['app'];
}

export async function deleteSecondFactors(db: Database, userId: string): Promise<void> {
  for (const table of ['authenticators', 'recovery_codes'] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).execute();
}

type Context = Pick<HandlerContext<never>, 'db' | 'secrets' | 'now' | 'writeTransaction'>;
export type FactorUser = { id: string; username: string };

/** What a code turned out to be. `method` is for the session that it begins. */
export type CodeOutcome =
  | { is: 'right'; method: SignInMethod }
  | { is: 'wrong' | 'expired'; message: string }
  | { is: 'off'; message: string; retryAfter: number };

/**
 * Checks a code and uses it up. Wrong codes from an app are counted for each user before they are
 * checked, on all instances and networks together: after ten in an hour these codes are off for an hour.
 */
export async function checkCode(context: Context, user: FactorUser, code: string): Promise<CodeOutcome> {
  const digits = code.replace(/\s/g, '');
  return /^\d{6}$/.test(digits) ? checkAppCode(context, user, digits) : checkRecoveryCode(context, user, code);
}

async function checkAppCode(context: Context, user: FactorUser, code: string): Promise<CodeOutcome> {
  const { db, secrets, now } = context;
  const key = getAttemptsKey(user.id);
  const { count, retryAfter } = await countAttempt(db, key, hourSeconds, now);
  if (count > wrongCodesPerHour) return { is: 'off', message: codesOffMessage, retryAfter };
  const outcome = await consumeAppCode(db, secrets, { userId: user.id, code, isConfirmed: true }, now);
  if (outcome === 'right') {
    await deleteAttempts(db, key);
    return { is: 'right', method: 'password and code' };
  }
  if (outcome === 'expired') {
    await uncountAttempt(db, key);
    return { is: 'expired', message: expiredMessage };
  }
  if (count === wrongCodesPerHour) {
    await extendAttempts(db, key, hourSeconds, now);
    await tellUser(context, user, {
      action: 'entered too many wrong codes',
      text: 'Codes from your app are off for an hour: someone entered ten wrong ones with your password',
    });
  }
  return { is: 'wrong', message: wrongMessage };
}

async function checkRecoveryCode(context: Context, user: FactorUser, code: string): Promise<CodeOutcome> {
  const { db, now } = context;
  const number = await findRecoveryCode(db, { userId: user.id, code, isConfirmed: true });
  const isUsedNow =
    number !== undefined &&
    (await tellUser(
      context,
      user,
      { action: 'used a recovery code', text: 'One of your recovery codes was used. If it was not you, tell an Admin' },
      (db) => consumeRecoveryCode(db, user.id, number, now),
    ));
  return isUsedNow ? { is: 'right', method: 'password and recovery code' } : { is: 'wrong', message: wrongMessage };
}

const getAttemptsKey = (userId: string) => `second-factor ${userId}`;

const wrongMessage = 'This is not the right code';
export const expiredMessage = 'That code has just expired. Wait for the next one';
const codesOffMessage = 'There were too many wrong codes, so codes from the app are off for an hour';

/**
 * Changes something about how a user signs in, logs it and notifies them. Does neither if `change`
 * returns false. Returns whether it did.
 */
export async function tellUser(
  { now, writeTransaction }: Pick<Context, 'now' | 'writeTransaction'>,
  user: FactorUser,
  { action, text }: Pick<ActivityEntry, 'action'> & { text: string },
  change?: (db: Database) => Promise<unknown>,
): Promise<boolean> {
  return writeTransaction(async (db, logActivity) => {
    if ((await change?.(db)) === false) return false;
    logActivity({ action, thing: 'user', thing_id: user.id, label: user.username, by: user });
    await notifyUser(db, now, user.id, text);
    return true;
  });
}

/** Tells a user what has changed about how they sign in. */
export const notifyUser = (db: Database, now: Date, userId: string, text: string) =>
  notify(db, now, {
    ...{ kind: 'signInChanged', to: { users: [userId] }, thing: 'user', thing_id: userId, park: '' },
    ...{ text, line: text, link: '/second-factors', isUrgent: true },
  });

/** The error of a code that was not accepted, at the field `code`. */
export const createCodeError = (outcome: Exclude<CodeOutcome, { is: 'right' }>, status: 400 | 401) => {
  const { is, message } = outcome;
  if (is === 'off') return new HttpError(429, message, { code: 'CODES_OFF', retryAfter: outcome.retryAfter });
  const code = is === 'expired' ? 'EXPIRED_CODE' : 'WRONG_CODE';
  return new HttpError(status, message, { code, fields: { code: message } });
};
