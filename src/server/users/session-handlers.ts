// Sign in, sign out, and change one's own password.

import { toParkFields } from '#shared/access.ts';
import type { Api } from '#shared/api.ts';
import { successReply } from '#shared/replies.ts';
import { getUsernameKey } from '#shared/users.ts';
import { assertStrongPassword, hashPassword, needsRehash, verifyPassword } from '../auth/passwords.ts';
import {
  createExpiredCookie,
  createSessionCookie,
  deleteSession,
  deleteUserSessions,
  insertSession,
} from '../auth/session.ts';
import { checkPasswordThrottled } from '../auth/sign-in-throttle.ts';
import { HttpError } from '../errors/http-error.ts';
import type { HandlerContext, Handlers } from '../http/handler-context.ts';
import { removeSessionSubscription, removeUserSubscriptions } from '../notifications/push.ts';
import { assertCurrentPassword } from './current-password.ts';
import { describeDevice } from './device.ts';
import { deleteEmailChanges } from './email-changes.ts';
import { findUser, findUserByName, updatePassword, updateSignIn } from './store.ts';

const createWrongPasswordError = () => new HttpError(401, 'Invalid username or password');

export const sessionHandlers: Pick<Handlers, 'getSession' | 'login' | 'logout' | 'changePassword' | 'getUsername'> = {
  getSession: ({ user }) => {
    const { expiresAt, canExtend, signedInAt: _, tokenHash: __, ...person } = user;
    return { user: { ...person, ...toParkFields(user.parks) }, expiresAt, canExtend };
  },

  async login(context) {
    const { db, body, now, config, logActivity, writeTransaction, setCookie } = context;
    const user = await findUserByName(db, body.username);
    const attempt = await checkPasswordThrottled(context, getUsernameKey(body.username), () =>
      verifyPassword(user?.password_hash, body.password),
    );
    if (attempt !== 'right' || !user) {
      // Log only usernames that exist, because users sometimes type their password as username.
      await logActivity({
        action: failureActions[attempt],
        thing: 'session',
        thing_id: user?.id ?? null,
        label: user?.username ?? '',
      });
      throw createWrongPasswordError();
    }
    const rehashedPassword = needsRehash(user.password_hash) ? await hashPassword(body.password) : undefined;
    const token = await writeTransaction(async (db, logActivity) => {
      // Check again, because the user may have been deleted or the password changed during the
      // check.
      if ((await findUser(db, user.id))?.password_hash !== user.password_hash) throw createWrongPasswordError();
      if (context.user) await deleteSession(db, context.user.tokenHash);
      if (rehashedPassword) await updatePassword(db, user.id, rehashedPassword, user.must_change_password === 1);
      await updateSignIn(db, user.id, now);
      logActivity({ action: 'signed in', thing: 'session', thing_id: user.id, label: user.username, by: user });
      return insertSession(db, user.id, now, describeDevice(context.userAgent));
    });
    setCookie(createSessionCookie(token, config.isSecure, user.role, config.sessions));
    return { success: true, role: user.role };
  },

  async logout({ user, writeTransaction, config, setCookie }) {
    if (user)
      await writeTransaction(async (db, logActivity) => {
        await deleteSession(db, user.tokenHash);
        await removeSessionSubscription(db, user.tokenHash);
        logActivity({ action: 'signed out', thing: 'session', thing_id: user.id, label: user.username });
      });
    setCookie(createExpiredCookie(config.isSecure));
    return successReply;
  },

  async changePassword(context) {
    const { db, user, body, config, writeTransaction } = context;
    const storedUser = await findUser(db, user.id);
    if (body.currentPassword !== undefined || !hasJustUsedOneTimePassword(context))
      await assertCurrentPassword(context, storedUser?.password_hash, 'failed to change the password');
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
      await deleteUserSessions(db, user.id, user.tokenHash);
      await removeUserSubscriptions(db, user.id, user.tokenHash);
      await deleteEmailChanges(db, user.id);
      logActivity({ action: 'changed the password', thing: 'user', thing_id: user.id, label: user.username });
    });
    return successReply;
  },

  async getUsername({ db, params }) {
    const user = await findUser(db, params.id, { deleted: true });
    if (!user) throw new HttpError(404, 'User not found');
    return { username: user.username };
  },
};

const failureActions = {
  right: 'failed to sign in',
  wrong: 'failed to sign in',
  locked: 'failed to sign in too often',
} as const;

const oneTimePasswordIsFreshMs = 10 * 60_000;

/**
 * Whether this session was started with a one-time password. Setting one ends all sessions, so the
 * user must have typed it in this one.
 */
const hasJustUsedOneTimePassword = ({ user, now }: HandlerContext<Api['changePassword']>) =>
  user.mustChangePassword && now.getTime() - Date.parse(user.signedInAt) < oneTimePasswordIsFreshMs;
