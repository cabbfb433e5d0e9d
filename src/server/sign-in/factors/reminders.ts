// Counts down the days in which users may put off a required second factor.
import { countDays } from '#shared/calendar.ts';
import { formatDay, getToday } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../db/schema.ts';
import { notify } from '../../notifications/notify.ts';
import { runDaily } from '../../notifications/reminders.ts';
import { findEndOfGrace, isRequired } from '../session/factor-policy.ts';
import { hasConfirmedFactor } from './second-factors.ts';

/** How many days before the end users are reminded; a server that was stopped that day does it later. */
const reminderDays = [1, 3, 7, 14];

/** Reminds users without a required second factor of the day until which they may put it off. */
export const remindOfSecondFactors = (db: Database, policy: Pick<Config, 'secondFactorFor'>, now: Date) =>
  runDaily(db, now, 'second factor reminders', async (db) => {
    const end = await findEndOfGrace(db);
    const lastDay = getToday(end);
    const daysLeft = countDays(getToday(now), lastDay);
    const step = reminderDays.find((days) => daysLeft <= days);
    if (step === undefined || now >= end) return;
    for (const role of ['None', 'Health & Safety Manager', 'Admin'] as const) {
      if (!isRequired(policy, role)) continue;
      const words = `Set up two-factor sign-in by ${formatDay(lastDay)} (${daysLeft > 0 ? `${pluralise(daysLeft, 'day')} left` : 'today'})${
        role === 'None' ? '' : '. Without it you can then do only what park staff can'
      }`;
      await notify(db, now, {
        ...{ kind: 'signInChanged', to: { users: await listUsersWithoutFactor(db, role) } },
        ...{ thing: 'user', thing_id: '', park: '', text: words, line: words, link: '/second-factors' },
        event: `second factor ${step} ${end.toISOString()}`,
      });
    }
  });

/** Users who sign in through the provider may have their second factor there. */
async function listUsersWithoutFactor(db: Database, role: string): Promise<string[]> {
  const users = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', role)
    .where('deleted_at', 'is', null)
    .where(({ and, not, exists, selectFrom }) =>
      and([
        not(hasConfirmedFactor),
        not(exists(selectFrom('identity_links').select('user_id').whereRef('user_id', '=', 'users.id'))),
      ]),
    )
    .execute();
  return users.map(({ id }) => id);
}
