// Users change or remove their own email address after confirming who they are. A new address is
// confirmed with a link sent to it.

import type { Config } from '../config.ts';
import { toUserLogFields } from '../db/activity-log.ts';
import { waitUntilDurable } from '../db/connect.ts';
import { HttpError } from '../errors/http-error.ts';
import type { Handlers } from '../http/handler-context.ts';
import { canSendLinks, sendEmail } from '../notifications/email.ts';
import { countAttempt } from '../sign-in/throttle/throttle.ts';
import { notifyOfEmail } from './access-notices.ts';
import { assertCurrentPasswordAndFactor } from './current-password.ts';
import { deleteEmailChanges, findEmailChange, insertEmailChange, linkHours } from './email-changes.ts';
import { findActor } from './permissions.ts';
import { findUser, updateEmail } from './store.ts';

const linksPerDay = 10;
const daySeconds = 24 * 60 * 60;

export const emailHandlers = {
  async requestEmailChange(context) {
    const { db, user, body, config, now, log, writeTransaction } = context;
    const { email } = body;
    const canSend = canSendLinks(config);
    if (email !== '' && !canSend) {
      const another = user.role === 'Admin' ? 'another' : 'an';
      const message = `This server cannot send you a link. Ask ${another} Admin to set your email address.`;
      throw new HttpError(409, message, { fields: { email: message } });
    }
    const storedUser = await findUser(db, user.id);
    await assertCurrentPasswordAndFactor(context, storedUser?.password_hash, 'failed to change the email address');
    if (email === '') {
      await writeTransaction(async (db, logActivity) => {
        const target = await findActor(db, user);
        await updateEmail(db, user.id, '');
        await deleteEmailChanges(db, user.id);
        if (target.email !== '') await notifyOfEmail(db, now, { target, earlier: target.email, email, by: user });
        logActivity({ action: 'removed the email address', ...toUserLogFields(user) });
      });
      return { success: true, isLinkSent: false } as const;
    }
    const { count } = await countAttempt(db, `email-change ${user.id}`, daySeconds, now);
    if (count > linksPerDay) throw new HttpError(429, 'You have asked for too many links today. Try again tomorrow.');
    const token = await writeTransaction(async (db, logActivity) => {
      logActivity({ action: 'asked to change the email address', ...toUserLogFields(user) });
      return insertEmailChange(db, user.id, email, now);
    });
    await waitUntilDurable(db);
    try {
      await sendLink(config, email, token);
    } catch (error) {
      log.warn({ err: error }, 'the link for a new email address could not be sent');
      await deleteEmailChanges(db, user.id);
      const message = 'The link could not be sent. Check the address and try again.';
      throw new HttpError(503, message, { fields: { email: message } });
    }
    return { success: true, isLinkSent: true } as const;
  },

  confirmEmailChange: ({ body, now, writeTransaction }) =>
    writeTransaction(async (db, logActivity) => {
      const change = await findEmailChange(db, body.token, now);
      const target = change && (await findUser(db, change.id));
      if (!target) throw new HttpError(404, 'This link has been used or has expired');
      await updateEmail(db, target.id, change.email);
      await deleteEmailChanges(db, target.id);
      const by = { id: target.id, username: target.username };
      if (target.email !== change.email)
        await notifyOfEmail(db, now, { target, earlier: target.email, email: change.email, by });
      logActivity({ action: 'changed the email address', ...toUserLogFields(by), by });
    }),
} satisfies Partial<Handlers>;

/** Sends the link. The token is in the URL's fragment, which browsers do not send to servers. */
const sendLink = ({ mail, publicUrl, operator }: Config, to: string, token: string): Promise<string> =>
  sendEmail(mail, {
    to,
    subject: `${operator.name}: confirm your email address`,
    text: `Open this link to get emails at this address:\n\n${publicUrl}/confirm-email#${token}\n\nThe link works once, for ${linkHours} hours. If you did not ask for it, ignore this email: nothing changes.\n`,
    messageId: `email-change-${Date.now()}`,
  });
