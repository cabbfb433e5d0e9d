// Endpoints with which users set up and remove their own second factors.

import type { Api } from '#shared/api.ts';
import { getResetCommand } from '#shared/sign-in/reset-command.ts';
import { toUserLogFields } from '../../db/activity-log.ts';
import type { Database } from '../../db/schema.ts';
import { HttpError } from '../../errors/http-error.ts';
import type { HandlerContext, Handlers } from '../../http/handler-context.ts';
import { addFactor, type SignedInUser, updateSessionMethod } from '../session/session.ts';
import { consumeAppCode, describeAppKey, generateAppKey, insertAppKey } from './app-codes.ts';
import {
  checkNewPasskey,
  deletePasskey,
  describeNewPasskey,
  insertPasskey,
  renamePasskey,
  requestPasskey,
} from './passkeys.ts';
import {
  confirmRecoveryCodes,
  findRecoveryCode,
  generateRecoveryCodes,
  insertRecoveryCodes,
} from './recovery-codes.ts';
import {
  confirmSecondFactors,
  createFactorError,
  deleteSecondFactors,
  expiredMessage,
  findSecondFactors,
  hasSecondFactor,
  needsTerminal,
  recordSignInChange,
} from './second-factors.ts';

export const factorHandlers = {
  getSecondFactors: ({ db, user, config }) => findSecondFactors(db, config, user.id),

  async putOffSecondFactor({ user, logActivity }) {
    if (!user.factorNeed?.laterUntil) throw new HttpError(409, 'You can no longer put this off');
    await logActivity({ action: 'put off two-factor sign-in', ...toUserLogFields(user) });
  },

  startAppSetUp: ({ user, config, secrets, now, writeTransaction }) =>
    writeTransaction(async (db) => {
      if ((await findSecondFactors(db, config, user.id)).appSince !== null)
        throw new HttpError(409, 'You have already set up an app. Remove it first');
      await assertMaySetUpFactor(db, user);
      await deleteSecondFactors(db, user.id, { onlyUnconfirmed: true });
      const key = generateAppKey();
      await insertAppKey(db, secrets, user.id, key, now);
      return describeAppKey(key, user.username, config.operator.name);
    }),

  async checkAppSetUp(context) {
    const { db, user, body, secrets, now } = context;
    const code = body.code.replace(/\s/g, '');
    const outcome = await consumeAppCode(db, secrets, { userId: user.id, code, isConfirmed: false }, now);
    if (outcome === 'expired') throw createFactorError({ is: outcome, message: expiredMessage }, 400);
    if (outcome === 'wrong') throw createFactorError({ is: outcome, message: wrongAtSetUp }, 400);
    return completeSetUp(context, {
      action: 'set up codes from an app',
      text: 'Signing in now accepts codes from your app',
    });
  },

  requestPasskey: (context) => requestPasskey(context),

  async startPasskeySetUp(context) {
    await assertMaySetUpFactor(context.db, context.user);
    return describeNewPasskey(context, context.user);
  },

  async addPasskey(context) {
    const { user, body } = context;
    const passkey = await checkNewPasskey(context, user.id, body.name, body.passkey);
    const change = { action: 'added a passkey', text: 'Signing in now accepts a new passkey of yours' };
    return completeSetUp(context, change, async (db) => {
      await deleteSecondFactors(db, user.id, { onlyUnconfirmed: true });
      await insertPasskey(db, passkey);
    });
  },

  async renamePasskey(context) {
    const { user, body, params } = context;
    const isRenamed = await recordSignInChange(
      context,
      user,
      { action: 'renamed a passkey', text: 'A passkey of yours was renamed' },
      (db) => renamePasskey(db, user.id, params.id, body.name),
    );
    if (!isRenamed) throw new HttpError(404, 'This passkey does not exist');
  },

  async removePasskey(context) {
    const { user, params } = context;
    // The passkey may be gone: the request may be repeated after a lost response.
    await recordSignInChange(
      context,
      user,
      { action: 'removed a passkey', text: 'A passkey of yours was removed' },
      async (db) => {
        if (!(await deletePasskey(db, user.id, params.id))) return false;
        await deleteUnneededCodes(db, user.id);
      },
    );
  },

  async createRecoveryCodes({ db, user, writeTransaction }) {
    if (!(await hasSecondFactor(db, user.id))) throw new HttpError(409, 'Set up codes from an app or a passkey first');
    const { codes, hashes } = await generateRecoveryCodes();
    await writeTransaction((db) => insertRecoveryCodes(db, user.id, hashes));
    return { recoveryCodes: codes };
  },

  async confirmRecoveryCodes(context) {
    const { db, user, body, config, now } = context;
    const number = await findRecoveryCode(db, { userId: user.id, code: body.code, isConfirmed: false });
    if (number === undefined)
      throw createFactorError({ is: 'wrong', message: 'This is not one of the codes above' }, 400);
    await assertMaySetUpFactor(db, user);
    const isFirst = !(await hasSecondFactor(db, user.id));
    const change = isFirst
      ? { action: 'set up two-factor sign-in', text: 'Signing in now needs a second factor' }
      : { action: 'made new recovery codes', text: 'You have new recovery codes. The earlier ones no longer work' };
    await recordSignInChange(context, user, change, async (db) => {
      await confirmRecoveryCodes(db, user.id, number, now);
      if (!isFirst) return;
      await confirmSecondFactors(db, user.id);
      const { appSince } = await findSecondFactors(db, config, user.id);
      const method = appSince === null ? 'password and passkey' : 'password and code';
      await updateSessionMethod(db, user.tokenHash, addFactor(user.method, method));
    });
  },

  async removeApp(context) {
    const { db, user, config } = context;
    // The request may be repeated after a lost response.
    if ((await findSecondFactors(db, config, user.id)).appSince === null) return;
    await recordSignInChange(
      context,
      user,
      { action: 'removed codes from an app', text: 'Signing in no longer needs a code from your app' },
      async (db) => {
        await db.deleteFrom('authenticators').where('user_id', '=', user.id).execute();
        await deleteUnneededCodes(db, user.id);
      },
    );
  },
} satisfies Partial<Handlers>;

const wrongAtSetUp = 'This is not the right code. Check that the time of your phone is set automatically';

/**
 * Throws if the first second factor must be set up after signing in with a one-time password: with an old
 * password, someone else could set up theirs.
 */
export async function assertMaySetUpFactor(db: Database, user: SignedInUser): Promise<void> {
  const { id, username, factorNeed } = user;
  if (!factorNeed || factorNeed.canSetUp || (await hasSecondFactor(db, id))) return;
  const message = (await needsTerminal(db, user))
    ? `Run on the server: ${getResetCommand(username)}. Sign in with the one-time password that it prints, and set this up then`
    : `Ask ${factorNeed.isReviewer ? 'an Admin' : 'a manager'} for a one-time password, sign in with it, and set this up then`;
  throw new HttpError(403, message, {
    code: 'ONE_TIME_PASSWORD_NEEDED',
  });
}

/** Deletes the recovery codes of a user without a second factor, who needs none. */
async function deleteUnneededCodes(db: Database, userId: string): Promise<void> {
  if (!(await hasSecondFactor(db, userId))) await deleteSecondFactors(db, userId);
}

type SetUpContext = HandlerContext<Api['checkAppSetUp'] | Api['addPasskey']>;

/**
 * Stores a second factor that was checked. It is active at once, except the user's first one: that becomes
 * active when the user enters one of the recovery codes that this function returns.
 */
async function completeSetUp(
  context: SetUpContext,
  change: { action: string; text: string },
  store: (db: Database) => Promise<void> = async () => {},
): Promise<{ recoveryCodes?: string[] }> {
  const { db, user, writeTransaction } = context;
  if (await hasSecondFactor(db, user.id)) {
    await recordSignInChange(context, user, change, async (db) => {
      await store(db);
      await confirmSecondFactors(db, user.id);
    });
    return {};
  }
  const { codes, hashes } = await generateRecoveryCodes();
  await writeTransaction(async (db) => {
    await store(db);
    await insertRecoveryCodes(db, user.id, hashes);
  });
  return { recoveryCodes: codes };
}
