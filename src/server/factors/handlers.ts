// Endpoints with which users set up and remove their own second factors.
import { successReply } from '#shared/replies.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { consumeAppCode, describeAppKey, generateAppKey, insertAppKey } from './app-codes.ts';
import {
  confirmRecoveryCodes,
  deleteUnconfirmedCodes,
  findRecoveryCode,
  generateRecoveryCodes,
  insertRecoveryCodes,
} from './recovery-codes.ts';
import { createCodeError, deleteSecondFactors, expiredMessage, findSecondFactors, tellUser } from './second-factors.ts';

type FactorEndpoints =
  | 'getSecondFactors'
  | 'startAppSetUp'
  | 'checkAppSetUp'
  | 'createRecoveryCodes'
  | 'confirmRecoveryCodes'
  | 'removeApp';

export const factorHandlers: Pick<Handlers, FactorEndpoints> = {
  getSecondFactors: ({ db, user }) => findSecondFactors(db, user.id),

  startAppSetUp: ({ user, config, secrets, now, writeTransaction }) =>
    writeTransaction(async (db) => {
      if ((await findSecondFactors(db, user.id)).appSince !== null)
        throw new HttpError(409, 'You have an app already. Remove it first');
      const key = generateAppKey();
      await insertAppKey(db, secrets, user.id, key, now);
      // Codes of an earlier attempt must not complete the set-up of a key that no app has.
      await deleteUnconfirmedCodes(db, user.id);
      return describeAppKey(key, user.username, config.operator.name);
    }),

  async checkAppSetUp({ db, user, body, secrets, now, writeTransaction }) {
    const code = body.code.replace(/\s/g, '');
    const outcome = await consumeAppCode(db, secrets, { userId: user.id, code, isConfirmed: false }, now);
    if (outcome === 'expired') throw createCodeError({ is: outcome, message: expiredMessage }, 400);
    if (outcome === 'wrong') throw createCodeError({ is: outcome, message: wrongAtSetUp }, 400);
    const { codes, hashes } = await generateRecoveryCodes();
    await writeTransaction((db) => insertRecoveryCodes(db, user.id, hashes));
    return { recoveryCodes: codes };
  },

  async createRecoveryCodes({ db, user, writeTransaction }) {
    if ((await findSecondFactors(db, user.id)).appSince === null)
      throw new HttpError(409, 'Set up codes from an app first');
    const { codes, hashes } = await generateRecoveryCodes();
    await writeTransaction((db) => insertRecoveryCodes(db, user.id, hashes));
    return { recoveryCodes: codes };
  },

  async confirmRecoveryCodes(context) {
    const { db, user, body } = context;
    if ((await findRecoveryCode(db, { userId: user.id, code: body.code, isConfirmed: false })) === undefined)
      throw createCodeError({ is: 'wrong', message: 'This is not one of the codes above' }, 400);
    const isFirst = (await findSecondFactors(db, user.id)).appSince === null;
    await tellUser(
      context,
      user,
      isFirst
        ? { action: 'set up codes from an app', text: 'Signing in now needs a code from your app' }
        : { action: 'made new recovery codes', text: 'You have new recovery codes. The earlier ones no longer work' },
      async (db) => {
        await confirmRecoveryCodes(db, user.id);
        await db.updateTable('authenticators').set({ is_confirmed: 1 }).where('user_id', '=', user.id).execute();
      },
    );
    return successReply;
  },

  async removeApp(context) {
    const { db, user } = context;
    // The request may be repeated after a lost response.
    if ((await findSecondFactors(db, user.id)).appSince === null) return successReply;
    await tellUser(
      context,
      user,
      { action: 'removed codes from an app', text: 'Signing in no longer needs a code from your app' },
      (db) => deleteSecondFactors(db, user.id),
    );
    return successReply;
  },
};

const wrongAtSetUp = 'This is not the right code. Check that the time of your phone is set automatically';
