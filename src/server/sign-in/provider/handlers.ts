// Endpoints of single sign-on: signing in through the operator's provider, and linking its identities to users.

import { isAdminOfAllParks } from '#shared/access.ts';
import { type ProviderPurpose, providerPurposes } from '#shared/sign-in/single-sign-on.ts';
import type { Config } from '../../config.ts';
import { toUserLogFields } from '../../db/activity-log.ts';
import type { Database } from '../../db/schema.ts';
import { HttpError, required } from '../../errors/http-error.ts';
import { assertCurrentToken, assertJustConfirmed } from '../../http/authorise.ts';
import type { Handlers } from '../../http/handler-context.ts';
import { removeUserSubscriptions } from '../../notifications/push.ts';
import { findActor } from '../../users/permissions.ts';
import { createSecondStep } from '../../users/session-handlers.ts';
import { findUser } from '../../users/store.ts';
import { isSharedDevice } from '../devices/shared-devices.ts';
import { assertMaySetUpFactor } from '../factors/handlers.ts';
import { listMethods, notifyUser } from '../factors/second-factors.ts';
import { findFactorNeed, limitRole } from '../session/factor-policy.ts';
import {
  deleteLink,
  deleteWaitingIdentity,
  findUserLink,
  listWaitingIdentities,
  updateLink,
} from '../session/identity-links.ts';
import { consumeOneUseToken, insertOneUseToken } from '../session/one-use-tokens.ts';
import {
  createExpiredCookie,
  createTokenCookie,
  deleteUserSessions,
  parseCookieToken,
  type SignedInUser,
} from '../session/session.ts';
import { readIdentity } from './claims.ts';
import { createAuthorizationUrl, createProviderRetryError, readClaims } from './provider.ts';
import { completeForPurpose, linkUser } from './sign-in.ts';

const returnSeconds = 10 * 60;

const startKinds = providerPurposes.map((purpose) => `provider ${purpose}` as const);

export const singleSignOnHandlers = {
  async startProviderSignIn(context) {
    const { db, user, body, config, origin, now, log, setCookie } = context;
    const settings = getProvider(config);
    const { purpose } = body;
    if (await isSharedDevice(db, context)) throw new HttpError(403, 'Single sign-on cannot be used on shared devices');
    if (purpose !== 'sign in' && !user) throw new HttpError(401, 'Please sign in');
    if (purpose === 'link' && user) {
      assertJustConfirmed(user, now);
      await assertMaySetUpFactor(db, user);
    }
    const owner = purpose === 'sign in' ? '' : (user?.id ?? '');
    const token = await insertOneUseToken(db, `provider ${purpose}`, owner, returnSeconds, now);
    const url = await createAuthorizationUrl({ settings, origin, token, log, isConfirmation: purpose === 'confirm' });
    setCookie(createTokenCookie('provider', token, config.isSecure, returnSeconds));
    return { url };
  },

  async completeProviderSignIn(context) {
    const { db, user, body, cookies, config, origin, now, log, setCookie, writeTransaction } = context;
    const settings = getProvider(config);
    const token = parseCookieToken(cookies, config.isSecure, 'provider') ?? '';
    setCookie(createExpiredCookie(config.isSecure, 'provider'));
    const started = await consumeOneUseToken(db, token, startKinds, now);
    if (!started || (started.user_id !== '' && started.user_id !== user?.id)) throw createProviderRetryError();
    const purpose = started.kind.replace('provider ', '') as ProviderPurpose;
    if (purpose === 'link' && user) assertCurrentToken(user);
    const exchange = { settings, origin, token, log, isConfirmation: purpose === 'confirm' };
    const identity = readIdentity(settings, await readClaims(exchange, body.query), now);
    const outcome = await writeTransaction((db, logActivity) =>
      completeForPurpose({ context, db, logActivity, identity }, purpose),
    );
    if ('error' in outcome) throw outcome.error;
    if ('token' in outcome) {
      const methods = await listMethods(db, config, outcome.secondStepOf.id);
      throw createSecondStep(context, outcome.token, { methods, purpose });
    }
    outcome.cookies.forEach(setCookie);
    const { role } = outcome.user;
    const need = await findFactorNeed(db, config, { role, method: outcome.method }, now);
    return { success: true, role: limitRole(role, need), purpose };
  },

  listWaitingIdentities: ({ db, config, now }) => {
    getProvider(config);
    return listWaitingIdentities(db, now);
  },

  linkIdentity: ({ params, body, user, config, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      getProvider(config);
      await assertAdmin(db, user);
      const target = required(await findUser(db, body.user), 'User not found');
      if (await findUserLink(db, target.id)) throw new HttpError(409, 'This user is already linked');
      const identityHash = required(await deleteWaitingIdentity(db, params.id), 'This person is no longer waiting');
      await linkUser({ db, now, logActivity, user: target, by: user.id, identityHash, lastSignInAt: null });
    }),

  refuseIdentity: ({ params, config, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      getProvider(config);
      // The person may no longer be waiting: the request may be repeated after a lost response.
      if (await deleteWaitingIdentity(db, params.id))
        logActivity({ action: 'refused someone who waited', thing: 'session', thing_id: null, label: '' });
    }),

  unlinkUser: ({ params, user, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      await assertAdmin(db, user);
      const { target } = await findLinkedUser(db, params.id);
      await deleteLink(db, target.id);
      await deleteUserSessions(db, target.id);
      await removeUserSubscriptions(db, target.id);
      await notifyUser(db, now, target.id, 'Your account is no longer linked to single sign-on');
      logActivity({ action: 'unlinked from single sign-on', ...toUserLogFields(target) });
    }),

  allowLinkedUser: ({ params, user, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      await assertAdmin(db, user);
      const { target, link } = await findLinkedUser(db, params.id);
      // The request may be repeated after a lost response.
      if (link.access !== 'refused') return;
      await updateLink(db, target.id, { access: 'allowed' });
      logActivity({ action: 'allowed', ...toUserLogFields(target) });
    }),
} satisfies Partial<Handlers>;

const getProvider = ({ provider }: Config) => required(provider, 'Single sign-on is not set up');

/** Checks inside the transaction that the user is still an Admin of all parks. */
async function assertAdmin(db: Database, user: SignedInUser): Promise<void> {
  if (!isAdminOfAllParks(await findActor(db, user))) throw new HttpError(403, 'Only Admins of all parks may do this');
}

async function findLinkedUser(db: Database, id: string) {
  const target = await findUser(db, id);
  const link = await findUserLink(db, id);
  return required(target && link && { target, link }, 'This user is not linked');
}
