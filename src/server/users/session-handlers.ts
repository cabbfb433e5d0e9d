// Endpoints to sign in and out, confirm who the user is, and change the own password.
import { toParkFields } from '#shared/access.ts';
import type { Api } from '#shared/api.ts';
import { getParkList } from '#shared/park-list.ts';
import type { SecondFactorMethod } from '#shared/sign-in/second-factors.ts';
import type { ProviderPurpose } from '#shared/sign-in/single-sign-on.ts';
import { getUsernameKey, type SignInMethod } from '#shared/users.ts';
import { type LogActivity, toSessionLogFields, toUserLogFields } from '../db/activity-log.ts';
import type { Database } from '../db/schema.ts';
import { HttpError, required } from '../errors/http-error.ts';
import { sha256 } from '../hash.ts';
import type { HandlerContext, Handlers } from '../http/handler-context.ts';
import { moveSessionSubscription, removeSessionSubscription, removeUserSubscriptions } from '../notifications/push.ts';
import { describeDevice } from '../sign-in/devices/device.ts';
import { allowPin } from '../sign-in/devices/pins.ts';
import { findSharedDevice, insertDeviceSignIn } from '../sign-in/devices/shared-devices.ts';
import { checkPasskey, consumePasskey } from '../sign-in/factors/passkeys.ts';
import {
  checkSecondFactor,
  createFactorError,
  hasSecondFactor,
  listMethods,
  needsTerminal,
  notifyUser,
  wrongPasskeyMessage,
} from '../sign-in/factors/second-factors.ts';
import { browserCookieSeconds, findBrowserOf, saveBrowser } from '../sign-in/session/browsers.ts';
import { findFactorNeed, limitRole } from '../sign-in/session/factor-policy.ts';
import { maySignInLocally, updateLink } from '../sign-in/session/identity-links.ts';
import {
  consumeOneUseToken,
  countTokenAttempt,
  insertOneUseToken,
  type TokenKind,
  uncountTokenAttempt,
} from '../sign-in/session/one-use-tokens.ts';
import {
  assertStrongPassword,
  hashPassword,
  needsRehash,
  readTypedPassword,
  verifyPassword,
} from '../sign-in/session/passwords.ts';
import {
  addFactor,
  confirmSession,
  createExpiredCookie,
  createSessionCookie,
  createTokenCookie,
  deleteSession,
  deleteUserSessions,
  insertSession,
  parseCookieToken,
  updateSessionMethod,
} from '../sign-in/session/session.ts';
import { checkPasswordThrottled } from '../sign-in/throttle/sign-in-throttle.ts';
import { notifyOfGuesses } from './access-notices.ts';
import {
  assertCurrentPassword,
  assertCurrentPasswordAndFactor,
  hasJustUsedOneTimePassword,
} from './current-password.ts';
import { deleteEmailChanges } from './email-changes.ts';
import { assertNotUsed, consumeOneTimePassword } from './one-time-passwords.ts';
import { findUser, findUserByName, type UserRow, updateHash, updatePassword, updateSignIn } from './store.ts';

const createWrongPasswordError = () => new HttpError(401, 'Invalid username or password');

export const secondStepSeconds = 5 * 60;
const wrongCodesPerSignIn = 5;

/** Returns the session without what the user should do now, which overview/session.ts adds. */
export async function describeSession({ db, user }: Pick<HandlerContext<Api['getSession']>, 'db' | 'user'>) {
  const { id, username, role, mustChangePassword, factorNeed, parks, expiresAt, canExtend } = user;
  const person = { id, username, role, mustChangePassword, ...toParkFields(parks) };
  const parkList = [...getParkList()];
  if (!factorNeed) return { user: person, expiresAt, canExtend, parks: parkList };
  const isAlone = !factorNeed.canSetUp && (await needsTerminal(db, user));
  return {
    ...{ user: { ...person, factorNeed: { ...factorNeed, ...(isAlone && { needsTerminal: true }) } } },
    ...{ expiresAt, canExtend, parks: parkList },
  };
}

export const sessionHandlers = {
  async login(context) {
    const { db, body, now, config, logActivity, writeTransaction, setCookie } = context;
    const user = await findUserByName(db, body.username);
    const isAllowed = user && (await maySignInLocally(db, config, user));
    const password = readTypedPassword(body.password, user?.must_change_password === 1);
    const browser = await findBrowserOf(db, user?.id ?? '', readBrowserToken(context) ?? '', now);
    const attempt = await checkPasswordThrottled(context, {
      username: getUsernameKey(body.username),
      password: body.password,
      known: user && browser ? { userId: user.id, browser } : undefined,
      checkPassword({ isOneTimeOnly, isUrgent }) {
        const mayBeRight = isAllowed && (!isOneTimeOnly || user.must_change_password === 1);
        return verifyPassword(mayBeRight ? user.password_hash : undefined, password, { isUrgent });
      },
      onLastOfDay: async () => user && reportGuesses(context, user),
    });
    if (attempt !== 'right' || !user) {
      // Log only usernames that exist, because users sometimes type their password as username.
      await logActivity({
        action: attempt === 'locked' ? 'failed to sign in too often' : 'failed to sign in',
        thing: 'session',
        thing_id: user?.id ?? null,
        label: user?.username ?? '',
      });
      throw createWrongPasswordError();
    }
    await assertNotUsedOrLog(context, user);
    const rehashedPassword = needsRehash(user.password_hash) ? await hashPassword(password) : undefined;
    // A password that someone else has set is one: also the one with which a new user signs in for the first time.
    const isOneTime = user.must_change_password === 1 || user.last_sign_in_at === null;
    const method = isOneTime ? 'one-time password' : 'password';
    const { methods, token, newCookies } = await writeTransaction(async (db, logActivity) => {
      // Check again, because the user may have been deleted or linked, or the password changed, during
      // the check.
      const current = await findUser(db, user.id);
      if (current?.password_hash !== user.password_hash || !(await maySignInLocally(db, config, current)))
        throw createWrongPasswordError();
      assertNotUsed(current, context);
      if (rehashedPassword) await updateHash(db, user.id, rehashedPassword);
      if (!(await hasSecondFactor(db, user.id)))
        return { newCookies: await startSession(context, db, logActivity, current, method) };
      logActivity({ action: 'entered the password', ...toSessionLogFields(user), by: user });
      const methods = await listMethods(db, config, user.id);
      return { methods, token: await insertOneUseToken(db, 'second step', user.id, secondStepSeconds, now) };
    });
    if (methods) throw createSecondStep(context, token, { methods });
    newCookies?.forEach(setCookie);
    const need = await findFactorNeed(db, config, { role: user.role, method }, now);
    return { success: true, role: limitRole(user.role, need) };
  },

  async enterCode(context) {
    const { db, body, cookies, config, now, logActivity, writeTransaction, setCookie } = context;
    const secondStep = parseCookieToken(cookies, config.isSecure, 'second_step') ?? '';
    const attempt = await countTokenAttempt(db, secondStep, secondSteps, now);
    const user = attempt && attempt.attempts <= wrongCodesPerSignIn ? await findUser(db, attempt.user_id) : undefined;
    if (!attempt || !user) throw createSignInAgainError();
    const outcome = await checkSecondFactor(context, user, body);
    if (outcome.is === 'expired' || outcome.is === 'off') await uncountTokenAttempt(db, secondStep);
    if (outcome.is === 'wrong' || outcome.is === 'rejected') {
      const action = outcome.is === 'wrong' ? 'entered a wrong code' : 'used a wrong passkey';
      await logActivity({ action, ...toSessionLogFields(user) });
      if (attempt.attempts === wrongCodesPerSignIn) throw createSignInAgainError();
    }
    if (outcome.is !== 'right') throw createFactorError(outcome, 401);
    const newCookies = await writeTransaction(async (db, logActivity) => {
      // Only one request completes a sign-in, and none after the password was changed.
      if (!(await consumeOneUseToken(db, secondStep, secondSteps, now))) throw createSignInAgainError();
      if (attempt.kind === 'second step') return startSession(context, db, logActivity, user, outcome.method);
      await updateLink(db, user.id, { last_sign_in_at: now.toISOString() });
      if (attempt.kind === 'provider confirm second step' && context.user?.id === user.id) {
        const session = { role: user.role, method: addFactor(context.user.method, outcome.method) };
        return [await renewSession(context, db, context.user.tokenHash, session)];
      }
      const confirmedAt = attempt.kind === 'provider second step' ? '' : now.toISOString();
      return startSession(context, db, logActivity, user, 'single sign-on with second factor', confirmedAt);
    });
    newCookies.forEach(setCookie);
    setCookie(createExpiredCookie(config.isSecure, 'second_step'));
    return { success: true, role: user.role };
  },

  async signInWithPasskey(context) {
    const { body, now, logActivity, writeTransaction, setCookie } = context;
    const use = await checkPasskey(context, body.passkey);
    const signedIn =
      use &&
      (await writeTransaction(async (db, logActivity) => {
        const user = await findUser(db, use.user_id);
        if (!user || !(await maySignInLocally(db, context.config, user))) return undefined;
        if (!(await consumePasskey(db, use, now))) return undefined;
        return { user, newCookies: await startSession(context, db, logActivity, user, 'passkey') };
      }));
    if (!signedIn) {
      await logActivity({ action: 'failed to sign in with a passkey', thing: 'session', thing_id: null, label: '' });
      throw createFactorError({ is: 'rejected', message: wrongPasskeyMessage }, 401);
    }
    signedIn.newCookies.forEach(setCookie);
    return { success: true, role: signedIn.user.role };
  },

  async confirmIdentity(context) {
    const { db, user, body, writeTransaction, setCookie } = context;
    // A passkey is checked alone, because it replaces the password too.
    if (!body.passkey) {
      const storedUser = await findUser(db, user.id);
      await assertCurrentPassword(context, storedUser?.password_hash, 'failed to confirm who it is');
    }
    let { method } = user;
    if (body.passkey || (await hasSecondFactor(db, user.id))) {
      const message = 'Enter the code';
      if (!body.passkey && !body.code) throw new HttpError(400, message, { fields: { code: message } });
      const outcome = await checkSecondFactor(context, user, body);
      if (outcome.is !== 'right') throw createFactorError(outcome, 400);
      method = addFactor(method, outcome.method);
    }
    const session = { role: user.fullRole, method };
    setCookie(await writeTransaction((db) => renewSession(context, db, user.tokenHash, session)));
  },

  async logout({ user, writeTransaction, config, setCookie }) {
    if (user)
      await writeTransaction(async (db, logActivity) => {
        await deleteSession(db, user.tokenHash);
        await removeSessionSubscription(db, user.tokenHash);
        logActivity({ action: 'signed out', ...toSessionLogFields(user) });
      });
    setCookie(createExpiredCookie(config.isSecure));
  },

  async changePassword(context) {
    const { db, user, body, config, now, writeTransaction } = context;
    const storedUser = await findUser(db, user.id);
    if (body.currentPassword !== undefined || !hasJustUsedOneTimePassword(user, now))
      await assertCurrentPasswordAndFactor(context, storedUser?.password_hash, 'failed to change the password');
    assertStrongPassword(body.newPassword, user.username, config.operator.name, config.passwordMin, 'newPassword');
    if (await verifyPassword(storedUser?.password_hash, body.newPassword))
      throw new HttpError(400, 'Choose a new password', {
        fields: { newPassword: 'New password must be different' },
      });
    const passwordHash = await hashPassword(body.newPassword);
    await writeTransaction(async (db, logActivity) => {
      if ((await findUser(db, user.id))?.password_hash !== storedUser?.password_hash)
        throw new HttpError(401, 'Please sign in');
      await updatePassword(db, user.id, passwordHash, false);
      await notifyUser(db, now, user.id, 'Your password was changed');
      await deleteUserSessions(db, user.id, user.tokenHash);
      await removeUserSubscriptions(db, user.id, user.tokenHash);
      await deleteEmailChanges(db, user.id);
      logActivity({ action: 'changed the password', ...toUserLogFields(user) });
    });
  },

  async getUsername({ db, params }) {
    const user = required(await findUser(db, params.id, { deleted: true }), 'User not found');
    return { username: user.username };
  },
} satisfies Partial<Handlers>;

/** Gives a new token to the session of a user who has just proved who they are. Returns its cookie. */
export async function renewSession(
  { config, now }: Pick<HandlerContext<never>, 'config' | 'now'>,
  db: Database,
  tokenHash: string,
  session: { role: string; method: SignInMethod },
): Promise<string> {
  await updateSessionMethod(db, tokenHash, session.method);
  const token = await confirmSession(db, tokenHash, now);
  await moveSessionSubscription(db, tokenHash, sha256(token));
  return createSessionCookie(token, config.isSecure, session, config.sessions);
}

type SignInContext = HandlerContext<
  Api['login'] | Api['enterCode'] | Api['signInWithPasskey'] | Api['signInWithPin'] | Api['completeProviderSignIn']
>;

const secondSteps: TokenKind[] = [
  'second step',
  'provider second step',
  'fresh provider second step',
  'provider confirm second step',
];

/** Sets the cookie of a sign-in that lacks the second factor. Returns the error that asks for it. */
export function createSecondStep(
  { config, setCookie }: Pick<SignInContext, 'config' | 'setCookie'>,
  token: string,
  body: { methods: SecondFactorMethod[]; purpose?: ProviderPurpose },
): HttpError {
  setCookie(createTokenCookie('second_step', token, config.isSecure, secondStepSeconds));
  return new HttpError(401, 'Enter your second factor', { code: 'SECOND_FACTOR', body });
}

/** Ends the session of this browser and begins one of this user. Returns its cookies. */
export async function startSession(
  context: SignInContext,
  db: Database,
  logActivity: LogActivity,
  user: UserRow,
  method: SignInMethod,
  confirmedAt = context.now.toISOString(),
): Promise<string[]> {
  const { now, config, userAgent } = context;
  if (context.user) await deleteSession(db, context.user.tokenHash);
  if (beganWithPassword(method)) await consumeOneTimePassword(db, user.id, context);
  // A PIN proves less than a password: it must not allow more guesses of one.
  const browserCookies = method === 'PIN' ? [] : [await recogniseBrowser(context, db, user)];
  await updateSignIn(db, user.id, now);
  // Sign-ins by PIN are known for 30 days, and not kept in the log forever.
  if (method !== 'PIN') {
    logActivity({ action: 'signed in', ...toSessionLogFields(user), by: user });
    await allowPin(db, user.id);
  }
  const device = await findSharedDevice(db, context);
  if (device) await insertDeviceSignIn(db, device.id, user.id, now);
  const token = await insertSession(db, user.id, now, {
    device: device?.name ?? describeDevice(userAgent),
    method,
    sharedDeviceId: device?.id,
    confirmedAt,
  });
  const sessionCookie = createSessionCookie(token, config.isSecure, { role: user.role, method }, config.sessions);
  return [sessionCookie, ...browserCookies];
}

/** Whether the user entered a password: not a PIN or a passkey alone, and not at the provider. */
const beganWithPassword = (method: SignInMethod) => /^(?:one-time )?password/.test(method);

async function assertNotUsedOrLog(context: HandlerContext<Api['login']>, user: UserRow): Promise<void> {
  try {
    assertNotUsed(user, context);
  } catch (error) {
    await context.logActivity({ action: 'entered a used one-time password', ...toSessionLogFields(user) });
    throw error;
  }
}

const readBrowserToken = ({ cookies, config }: Pick<SignInContext, 'cookies' | 'config'>) =>
  parseCookieToken(cookies, config.isSecure, 'browser');

/**
 * Stores that the user has signed in in this browser. Notifies a reviewer who has signed in with other browsers, but
 * never with this one. Returns the cookie that identifies the browser.
 */
async function recogniseBrowser(context: SignInContext, db: Database, user: UserRow) {
  const { now, config, userAgent } = context;
  const { token, isNew } = await saveBrowser(db, user.id, readBrowserToken(context), now);
  if (isNew && user.role !== 'None') {
    const device = describeDevice(userAgent) || 'an unknown device';
    const text = `You signed in on a new browser: ${device}. If it was not you, change your password and tell an Admin`;
    await notifyUser(db, now, user.id, text, '/sessions');
  }
  return createTokenCookie('browser', token, config.isSecure, browserCookieSeconds);
}

/** Logs that someone guesses the user's password, and notifies the user and the other Admins who see them. */
const reportGuesses = ({ now, writeTransaction }: SignInContext, user: UserRow): Promise<void> =>
  writeTransaction(async (db, logActivity) => {
    const action = 'failed to sign in 200 times in a day';
    logActivity({ action, ...toSessionLogFields(user) });
    await notifyOfGuesses(db, now, user);
  });

const createSignInAgainError = () =>
  new HttpError(401, 'Too many wrong codes, or too much time has passed. Enter your password again.', {
    code: 'SIGN_IN_AGAIN',
  });
