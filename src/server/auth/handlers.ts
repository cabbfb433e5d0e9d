// Signing in and out, and one's own password.

import { done } from '../../shared/replies.ts';
import { usernameKey } from '../../shared/users.ts';
import type { Call, Handlers } from '../http/call.ts';
import { Refusal } from '../http/errors.ts';
import { deleteSession, deleteSessionsOf, expiredCookie, insertSession, sessionCookie } from '../http/session.ts';
import { findUser, findUserByName, updatePassword, updateSignIn } from '../users/store.ts';
import { admitGuess, countFailure, forgetFailures } from './guesses.ts';
import { checkPassword, hashPassword, isPassword } from './passwords.ts';

export const authHandlers: Pick<Handlers, 'getSession' | 'login' | 'logout' | 'changePassword' | 'getUsername'> = {
  getSession: ({ user }) => {
    const { expiresAt, tokenHash: _, ...person } = user;
    return { user: person, expiresAt };
  },

  async login(call) {
    const { db, body, ip, now, config, note, change, setCookie } = call;
    const guess = { username: usernameKey(body.username), ip };
    await admitGuess(db, guess, now);
    const found = await findUserByName(db, body.username);
    if (!(await isPassword(found?.password_hash, body.password))) {
      await countFailure(db, guess, now);
      await note({ action: 'failed to sign in', thing: 'session', label: found?.username ?? '' });
      throw new Refusal(401, 'Invalid username or password');
    }
    const user = found as NonNullable<typeof found>;
    await forgetFailures(db, guess);
    const token = await change(async (db, note) => {
      if (call.user) await deleteSession(db, call.user.tokenHash);
      await updateSignIn(db, user.id, now);
      note({ action: 'signed in', thing: 'session', thing_id: user.id, label: user.username });
      return insertSession(db, user.id, now);
    });
    setCookie(sessionCookie(token, config.isSecure));
    return { success: true, role: user.role };
  },

  async logout({ user, change, config, setCookie }) {
    if (user)
      await change(async (db, note) => {
        await deleteSession(db, user.tokenHash);
        note({ action: 'signed out', thing: 'session', thing_id: user.id, label: user.username });
      });
    setCookie(expiredCookie(config.isSecure));
    return done;
  },

  async changePassword(call) {
    const { db, user, body, config, change } = call;
    const kept = await findUser(db, user.id);
    await refuseWrongPassword(call, kept?.password_hash);
    checkPassword(body.newPassword, user.username, config.operator.name, config.passwordMin);
    const passwordHash = await hashPassword(body.newPassword);
    await change(async (db, note) => {
      await updatePassword(db, user.id, passwordHash, false);
      await deleteSessionsOf(db, user.id, user.tokenHash);
      note({ action: 'changed the password', thing: 'user', thing_id: user.id, label: user.username });
    });
    return done;
  },

  async getUsername({ db, params }) {
    const user = await findUser(db, params.id, { deleted: true });
    if (!user) throw new Refusal(404, 'There is no such user');
    return { username: user.username };
  },
};

/** A wrong current password is a guess like one at the door. */
async function refuseWrongPassword(
  { db, user, body, ip, now }: Call<typeof import('../../shared/api.ts')['api']['changePassword']>,
  hash?: string,
) {
  const guess = { username: usernameKey(user.username), ip };
  await admitGuess(db, guess, now);
  if (await isPassword(hash, body.currentPassword)) return;
  await countFailure(db, guess, now);
  const message = 'This is not your current password';
  throw new Refusal(400, message, { fields: { currentPassword: message } });
}
