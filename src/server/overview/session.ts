// The session, with the numbers of what the user should do now. Each is counted by an index.
import { isAllowed } from '#shared/access.ts';
import type { DoNow } from '#shared/overview/overview.ts';
import { countDueAudits } from '../audits/store.ts';
import type { Database } from '../db/schema.ts';
import { findProgress } from '../first-steps/steps.ts';
import type { Handlers } from '../http/handler-context.ts';
import { countHurtMessages } from '../messages/store.ts';
import { countDueChecks } from '../schedules/store.ts';
import type { SignedInUser } from '../sign-in/session/session.ts';
import { describeSession } from '../users/session-handlers.ts';
import { countUnopened } from './store.ts';

export const sessionHandler = {
  async getSession({ db, user, now, config }) {
    const session = await describeSession({ db, user });
    if (user.mustChangePassword) return session;
    const [doNow, firstSteps] = await Promise.all([countDoNow(db, user, now), findProgress({ db, user, now, config })]);
    return { ...session, doNow, ...(firstSteps && { firstSteps }) };
  },
} satisfies Partial<Handlers>;

async function countDoNow(db: Database, user: SignedInUser, now: Date): Promise<DoNow> {
  if (!isAllowed('reviewer', user))
    return { checks: await countDueChecks(db, user, now), audits: await countDueAudits(db, user, now) };
  return { reports: await countUnopened(db, user.parks ?? undefined), hurt: await countHurtMessages(db, user) };
}
