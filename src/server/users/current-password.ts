// Checks the password of a signed-in user before changes that another person at the same device
// must not make.

import { toUserLogFields } from '../db/activity-log.ts';
import { HttpError } from '../errors/http-error.ts';
import { assertJustConfirmed } from '../http/authorise.ts';
import type { HandlerContext } from '../http/handler-context.ts';
import { hasSecondFactor } from '../sign-in/factors/second-factors.ts';
import { maySignInLocally } from '../sign-in/session/identity-links.ts';
import { readTypedPassword, verifyPassword } from '../sign-in/session/passwords.ts';
import { isSingleSignOn, type SignedInUser } from '../sign-in/session/session.ts';
import { checkSessionPassword } from '../sign-in/throttle/sign-in-throttle.ts';

type Context = Pick<HandlerContext<never>, 'db' | 'config' | 'ip' | 'now' | 'delayResponse' | 'logActivity'> & {
  user: SignedInUser;
  body: { currentPassword?: string | undefined };
};

/**
 * Throws 400 unless the current password is right. Wrong ones are counted in the session, and logged as
 * `failedAction`. `hash` is the stored one.
 */
export async function assertCurrentPassword(
  context: Context,
  hash: string | undefined,
  failedAction: string,
): Promise<void> {
  const { user, body, logActivity } = context;
  const { currentPassword } = body;
  if (!currentPassword) {
    const message = 'Enter your current password';
    throw new HttpError(400, message, { fields: { currentPassword: message } });
  }
  const isAllowed = await maySignInLocally(context.db, context.config, { id: user.id, role: user.fullRole });
  const attempt = await checkSessionPassword(context, user, () =>
    verifyPassword(isAllowed ? hash : undefined, readTypedPassword(currentPassword, user.mustChangePassword)),
  );
  if (attempt === 'right') return;
  await logActivity({ action: failedAction, ...toUserLogFields(user) });
  const message = 'This is not your current password';
  throw new HttpError(400, message, { fields: { currentPassword: message } });
}

/**
 * Like `assertCurrentPassword`, before a change of how the user signs in: users with a second factor must have
 * entered it in the last ten minutes too. Users who signed in through the provider need no password, if they
 * did so in that time.
 */
export async function assertCurrentPasswordAndFactor(
  context: Context,
  hash: string | undefined,
  failedAction: string,
): Promise<void> {
  const { db, user, body, now } = context;
  const usesProvider = isSingleSignOn(user.method) && !body.currentPassword;
  if (usesProvider || (await hasSecondFactor(db, user.id))) assertJustConfirmed(user, now);
  if (usesProvider) return;
  await assertCurrentPassword(context, hash, failedAction);
}

const oneTimePasswordMs = 10 * 60_000;

/**
 * Whether this session was started with a one-time password in the last ten minutes. Setting one ends all
 * sessions, so the user must have typed it in this one.
 */
export const hasJustUsedOneTimePassword = (user: SignedInUser, now: Date) =>
  user.mustChangePassword &&
  user.method === 'one-time password' &&
  now.getTime() - Date.parse(user.signedInAt) < oneTimePasswordMs;
