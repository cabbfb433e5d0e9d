// Endpoints of System, for Admins of all parks.

import type { Api } from '#shared/api.ts';
import type { SystemTest, SystemTestResult } from '#shared/system/system.ts';
import { toUserLogFields } from '../db/activity-log.ts';
import { HttpError } from '../errors/http-error.ts';
import type { HandlerContext, Handlers } from '../http/handler-context.ts';
import { isMailSetUp } from '../notifications/email.ts';
import { insertOneUseToken, testEmailSeconds } from '../sign-in/session/one-use-tokens.ts';
import { countAttempts } from '../sign-in/throttle/throttle.ts';
import { listSystemLines } from './lines.ts';
import { testEmail, testProvider, testStorage } from './tests.ts';

const hourSeconds = 60 * 60;
/** Test emails in an hour: to a user, and to all. */
const maxEmails = { user: 5, all: 20 };

export const systemHandlers = {
  getSystem: (context) => listSystemLines(context),

  async testSystemEmail(context) {
    const { db, user, config, now } = context;
    if (!isMailSetUp(config.mail)) throw new HttpError(409, 'Email is not set up. Set SMTP_URL and MAIL_FROM.');
    const { email, email_confirmed } = await db
      .selectFrom('users')
      .select(['email', 'email_confirmed'])
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow();
    if (email === '') throw new HttpError(409, 'You have no email address. Add one under Notification Settings.');
    // Another Admin may have set it, so that it could be anybody's.
    if (!email_confirmed)
      throw new HttpError(
        409,
        'Your email address is not confirmed yet. Enter it again under Notification Settings, and open the link sent to it.',
      );
    const [own, all] = await countAttempts(
      db,
      [`system-email ${user.id}`, 'system-email'].map((key) => ({ key, seconds: hourSeconds })),
      now,
    );
    const exceeded = [own && own.count > maxEmails.user && own, all && all.count > maxEmails.all && all].find(Boolean);
    if (exceeded)
      throw new HttpError(429, 'Too many test emails were sent in this hour. Try again later.', {
        retryAfter: exceeded.retryAfter,
      });
    const token = await insertOneUseToken(db, 'test email', user.id, testEmailSeconds, now);
    return logTest(context, 'email', await testEmail(config, email, token));
  },

  testSystemStorage: async (context) => logTest(context, 'storage', await testStorage(context.files, context.now)),

  async testSystemProvider(context) {
    const { provider } = context.config;
    if (!provider) throw new HttpError(409, 'Single sign-on is not set up. Set OIDC_ISSUER.');
    return logTest(context, 'provider', await testProvider(provider));
  },
} satisfies Partial<Handlers>;

type TestContext = Pick<HandlerContext<Api['testSystemStorage']>, 'user' | 'logActivity'>;

async function logTest({ user, logActivity }: TestContext, name: SystemTest, result: SystemTestResult) {
  const changes = { test: name, result: result.code || 'passed' };
  await logActivity({ action: 'tested the system', ...toUserLogFields(user), changes });
  return result;
}
