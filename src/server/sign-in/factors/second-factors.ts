// Which second factors a user has, and the check of a passkey, a code from an app or a recovery code.

import { type SqlBool, sql } from 'kysely';
import type {
  OwnSecondFactors,
  SecondFactorMethod,
  SecondStep,
  SignedPasskey,
} from '#shared/sign-in/second-factors.ts';
import type { SignInMethod } from '#shared/users.ts';
import type { Config } from '../../config.ts';
import { type ActivityEntry, toUserLogFields } from '../../db/activity-log.ts';
import { findsRow } from '../../db/queries.ts';
import type { Database } from '../../db/schema.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { HandlerContext } from '../../http/handler-context.ts';
import { notify } from '../../notifications/notify.ts';
import { seesOneOf } from '../../user-parks.ts';
import { findUserLink, maySignInLocally } from '../session/identity-links.ts';
import type { SignedInUser } from '../session/session.ts';
import { countAttempt, deleteAttempts, extendAttempts, uncountAttempt } from '../throttle/throttle.ts';
import { consumeAppCode } from './app-codes.ts';
import { checkPasskey, consumePasskey, listPasskeys } from './passkeys.ts';
import { consumeRecoveryCode, countRecoveryCodes, findRecoveryCode } from './recovery-codes.ts';

const hourSeconds = 60 * 60;
const wrongCodesPerHour = 10;

export async function findSecondFactors(db: Database, config: Config, userId: string): Promise<OwnSecondFactors> {
  const app = await db
    .selectFrom('authenticators')
    .select('created_at')
    .where('user_id', '=', userId)
    .where('is_confirmed', '=', 1)
    .executeTakeFirst();
  return {
    appSince: app?.created_at ?? null,
    passkeys: await listPasskeys(db, config, userId),
    recoveryCodes: await countRecoveryCodes(db, userId),
    isLinked: (await findUserLink(db, userId)) !== undefined,
    hasPassword: await hasPassword(db, config, userId),
  };
}

async function hasPassword(db: Database, config: Config, id: string): Promise<boolean> {
  const user = await db.selectFrom('users').select(['role', 'password_hash']).where('id', '=', id).executeTakeFirst();
  return user !== undefined && user.password_hash !== '' && (await maySignInLocally(db, config, { ...user, id }));
}

const factorTables = ['authenticators', 'passkeys'] as const;

/** Whether a password is not enough for this user; true even if their only passkey no longer works at this host name. */
export async function hasSecondFactor(db: Database, userId: string): Promise<boolean> {
  for (const table of factorTables) {
    if (await findsRow(db.selectFrom(table).where('user_id', '=', userId).where('is_confirmed', '=', 1))) return true;
  }
  return false;
}

/** The condition that a user has an app or a passkey as second factor. */
export const hasConfirmedFactor = sql<SqlBool>`(
  exists (select 1 from authenticators where authenticators.user_id = users.id and authenticators.is_confirmed = 1)
  or exists (select 1 from passkeys where passkeys.user_id = users.id and passkeys.is_confirmed = 1)
)`;

/**
 * Whether no other Admin can set the one-time password with which this one sets up a second factor: all of them lack one
 * too, or there are none.
 */
export async function needsTerminal(db: Database, { id, fullRole, parks }: SignedInUser): Promise<boolean> {
  if (fullRole !== 'Admin') return false;
  const helpers = db
    .selectFrom('users')
    .where('role', '=', 'Admin')
    .where('deleted_at', 'is', null)
    .where('id', '!=', id)
    .where(seesOneOf(parks ?? []))
    .where(({ or, exists, selectFrom }) =>
      or([
        hasConfirmedFactor,
        // Signs in through the provider, which may ask for a second factor.
        exists(
          selectFrom('identity_links')
            .select('user_id')
            .whereRef('user_id', '=', 'users.id')
            .where('access', '!=', 'refused'),
        ),
      ]),
    );
  return !(await findsRow(helpers));
}

/** Returns how the user can prove that it is them, besides the password. */
export async function listMethods(db: Database, config: Config, userId: string): Promise<SecondFactorMethod[]> {
  const { passkeys, appSince, recoveryCodes } = await findSecondFactors(db, config, userId);
  const has = { passkey: passkeys.some(({ isUsable }) => isUsable), app: appSince !== null };
  const methods = { ...has, recoveryCode: recoveryCodes > 0 };
  return (Object.keys(methods) as SecondFactorMethod[]).filter((method) => methods[method]);
}

/**
 * Deletes all second factors and recovery codes of a user, or those whose set-up was not completed, so that a
 * later set-up does not complete them.
 */
export async function deleteSecondFactors(db: Database, userId: string, { onlyUnconfirmed = false } = {}) {
  for (const table of [...factorTables, 'recovery_codes'] as const) {
    const query = db.deleteFrom(table).where('user_id', '=', userId);
    await (onlyUnconfirmed ? query.where('is_confirmed', '=', 0) : query).execute();
  }
  if (!onlyUnconfirmed) await db.deleteFrom('used_app_codes').where('user_id', '=', userId).execute();
}

/** Activates the second factors of a user who has completed the set-up. */
export async function confirmSecondFactors(db: Database, userId: string): Promise<void> {
  for (const table of factorTables)
    await db.updateTable(table).set({ is_confirmed: 1 }).where('user_id', '=', userId).execute();
}

type Context = Pick<HandlerContext<never>, 'db' | 'config' | 'origin' | 'secrets' | 'now' | 'writeTransaction'>;
type FactorUser = { id: string; username: string };

/** The result of checking a code or passkey. `method` is for the session that it begins. */
type FactorOutcome =
  | { is: 'right'; method: SignInMethod }
  | { is: 'wrong' | 'expired' | 'rejected'; message: string }
  | { is: 'off'; message: string; retryAfter: number };

/**
 * Checks a code or passkey and uses it up. Wrong codes from an app are counted for each user before they are
 * checked, on all instances and networks together: after ten in an hour these codes are off for an hour.
 */
export async function checkSecondFactor(
  context: Context,
  user: FactorUser,
  { code = '', passkey }: SecondStep,
): Promise<FactorOutcome> {
  if (passkey) return checkOwnPasskey(context, user, passkey);
  const digits = code.replace(/\s/g, '');
  return /^\d{6}$/.test(digits) ? checkAppCode(context, user, digits) : checkRecoveryCode(context, user, code);
}

async function checkAppCode(context: Context, user: FactorUser, code: string): Promise<FactorOutcome> {
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
    await recordSignInChange(context, user, {
      action: 'entered too many wrong codes',
      text: 'Codes from your app are off for an hour: someone entered ten wrong ones with your password',
    });
  }
  return { is: 'wrong', message: wrongMessage };
}

async function checkRecoveryCode(context: Context, user: FactorUser, code: string): Promise<FactorOutcome> {
  const { db, now } = context;
  const number = await findRecoveryCode(db, { userId: user.id, code, isConfirmed: true });
  const isUsedNow =
    number !== undefined &&
    (await recordSignInChange(
      context,
      user,
      { action: 'used a recovery code', text: 'One of your recovery codes was used. If it was not you, tell an Admin' },
      (db) => consumeRecoveryCode(db, user.id, number, now),
    ));
  return isUsedNow ? { is: 'right', method: 'password and recovery code' } : { is: 'wrong', message: wrongMessage };
}

async function checkOwnPasskey(context: Context, user: FactorUser, signed: SignedPasskey): Promise<FactorOutcome> {
  const use = await checkPasskey(context, signed);
  const isRight = use?.user_id === user.id && (await consumePasskey(context.db, use, context.now));
  return isRight ? { is: 'right', method: 'password and passkey' } : { is: 'rejected', message: wrongPasskeyMessage };
}

const getAttemptsKey = (userId: string) => `second-factor ${userId}`;

const wrongMessage = 'This is not the right code';
export const wrongPasskeyMessage = 'This passkey was not accepted';
export const expiredMessage = 'That code has just expired. Wait for the next one';
const codesOffMessage = 'There were too many wrong codes, so codes from the app are off for an hour';

/**
 * Logs what happened to a user's ways to sign in and notifies them, in one transaction with `change`, if there is
 * one. Returns false, and does not log or notify, if `change` returns false.
 */
export async function recordSignInChange(
  { now, writeTransaction }: Pick<Context, 'now' | 'writeTransaction'>,
  user: FactorUser,
  { action, text }: Pick<ActivityEntry, 'action'> & { text: string },
  change?: (db: Database) => Promise<unknown>,
): Promise<boolean> {
  return writeTransaction(async (db, logActivity) => {
    if ((await change?.(db)) === false) return false;
    logActivity({ action, ...toUserLogFields(user), by: user });
    await notifyUser(db, now, user.id, text);
    return true;
  });
}

/** Notifies a user of a change of how they sign in; by email also at the earlier address, if there is one. */
export const notifyUser = (
  db: Database,
  now: Date,
  userId: string,
  text: string,
  link = '/second-factors',
  earlierAddress = '',
) =>
  notify(db, now, {
    ...{ kind: 'signInChanged', to: { users: [userId] }, thing: 'user', thing_id: userId, park: '' },
    ...{ text, line: text, link, isUrgent: true, earlierAddress },
  });

/** The error of a code or passkey that was not accepted; of a code at its field. */
export const createFactorError = (outcome: Exclude<FactorOutcome, { is: 'right' }>, status: 400 | 401) => {
  const { is, message } = outcome;
  if (is === 'off') return new HttpError(429, message, { code: 'CODES_OFF', retryAfter: outcome.retryAfter });
  return new HttpError(status, message, {
    code: errorCodes[is],
    ...(is !== 'rejected' && { fields: { code: message } }),
  });
};

const errorCodes = { wrong: 'WRONG_CODE', expired: 'EXPIRED_CODE', rejected: 'WRONG_PASSKEY' } as const;
