// Invitations: a link by email, under which someone who has never signed in chooses a password (decision 57).
import type { Config } from '../config.ts';
import { toUserLogFields } from '../db/activity-log.ts';
import { waitUntilDurable } from '../db/connect.ts';
import type { Database } from '../db/schema.ts';
import { HttpError, required } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { canSendLinks, sendEmail } from '../notifications/email.ts';
import { maySignInLocally } from '../sign-in/session/identity-links.ts';
import {
  consumeOneUseToken,
  deleteInvitations,
  findOneUseToken,
  insertOneUseToken,
  invitationSeconds,
} from '../sign-in/session/one-use-tokens.ts';
import { assertStrongPassword, hashPassword } from '../sign-in/session/passwords.ts';
import { deleteFailures } from '../sign-in/throttle/sign-in-throttle.ts';
import { countAttempts } from '../sign-in/throttle/throttle.ts';
import { assertCanManage, findActor } from './permissions.ts';
import { findUser, type UserRow, updateEmail, updatePassword } from './store.ts';

const limits = { ofSender: { count: 20, seconds: 60 * 60 }, ofUser: { count: 3, seconds: 24 * 60 * 60 } };

/** Returns the user if they may have an invitation: they have never signed in, and sign in with a password. */
async function findInvited(db: Database, config: Config, id: string): Promise<UserRow | undefined> {
  const user = await findUser(db, id);
  return user?.last_sign_in_at === null && (await maySignInLocally(db, config, user)) ? user : undefined;
}

export const invitationHandlers = {
  async inviteUser({ db, params, user, config, now, log, writeTransaction }) {
    const { token, target } = await writeTransaction(async (db, logActivity) => {
      const target = required(await findUser(db, params.id), 'User not found');
      await assertCanManage(db, await findActor(db, user), target);
      if (!canSendLinks(config)) throw new HttpError(409, 'This server cannot send links by email');
      if (target.email === '') throw new HttpError(409, 'This user has no email address. An Admin can set it.');
      if (!(await findInvited(db, config, target.id)))
        throw new HttpError(409, 'Only users who have never signed in, and have a password, can be invited');
      await assertFewInvitations(db, user.id, target.id, now);
      await deleteInvitations(db, target.id);
      logActivity({ action: 'invited', ...toUserLogFields(target) });
      return { target, token: await insertOneUseToken(db, 'invitation', target.id, invitationSeconds, now) };
    });
    await waitUntilDurable(db);
    try {
      await sendInvitation(config, target, token);
    } catch (error) {
      log.warn({ err: error }, 'an invitation could not be sent');
      await consumeOneUseToken(db, token, ['invitation'], now);
      throw new HttpError(503, 'The invitation could not be sent. Check the address and try again.');
    }
  },

  async acceptInvitation({ db, body, config, now, writeTransaction }) {
    const { token, password } = body;
    const found = await findOneUseToken(db, token, ['invitation'], now);
    const invited = found && (await findInvited(db, config, found.user_id));
    if (!invited) throw createInvitationError();
    assertStrongPassword(password, invited.username, config.operator.name, config.passwordMin);
    const passwordHash = await hashPassword(password);
    return writeTransaction(async (db, logActivity) => {
      // Only one request uses the link, and none after what it was sent for has changed.
      const used = await consumeOneUseToken(db, token, ['invitation'], now);
      const target = used && (await findInvited(db, config, used.user_id));
      if (!target) throw createInvitationError();
      await updatePassword(db, target.id, passwordHash, false);
      await updateEmail(db, target.id, target.email);
      await deleteFailures(db, target);
      const by = { id: target.id, username: target.username };
      logActivity({ action: 'accepted the invitation', ...toUserLogFields(by), by });
    });
  },
} satisfies Partial<Handlers>;

/** The same for a link that was used, has expired, was withdrawn or never existed. */
const createInvitationError = () =>
  new HttpError(404, 'This link cannot be used. It was used before, or has ended. Ask your manager for a new one.');

/** Throws 429 beyond the limits. The counters are locked until the transaction ends, so a user has one open invitation. */
async function assertFewInvitations(db: Database, senderId: string, userId: string, now: Date): Promise<void> {
  const [ofSender, ofUser] = await countAttempts(
    db,
    [
      { key: `invitations-by ${senderId}`, seconds: limits.ofSender.seconds },
      { key: `invitations-of ${userId}`, seconds: limits.ofUser.seconds },
    ],
    now,
  );
  if (ofUser && ofUser.count > limits.ofUser.count)
    throw new HttpError(429, 'This user was invited three times today. Try again tomorrow.', ofUser);
  if (ofSender && ofSender.count > limits.ofSender.count)
    throw new HttpError(429, 'You have sent 20 invitations in an hour. Try again later.', ofSender);
}

/** Sends the link. The token is in the URL's fragment, which browsers do not send to servers. */
const sendInvitation = ({ mail, publicUrl, operator }: Config, target: UserRow, token: string): Promise<string> =>
  sendEmail(mail, {
    to: target.email,
    subject: `${operator.name}: choose your password`,
    text: `You have an account for reports and checklists at ${operator.name}. Open this link and choose a password:\n\n${publicUrl}/invitation#${token}\n\nThen sign in at ${publicUrl} with the username ${target.username}\n\nThe link works once, for 7 days. If you did not expect it, ignore this email.\n`,
    messageId: `invitation-${Date.now()}`,
  });
