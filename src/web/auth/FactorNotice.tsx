// Says that a second factor must be set up, below the navigation bar.
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { countDays } from '#shared/calendar.ts';
import { formatInstantDay, getToday } from '#shared/dates.ts';
import { pluralise } from '#shared/pluralise.ts';
import { getResetCommand } from '#shared/sign-in/reset-command.ts';
import type { FactorNeed } from '#shared/sign-in/second-factors.ts';
import { tabItems } from '../browserItems.ts';
import { getServerTime, mutationFor, queryFor } from '../client/api.ts';
import { factorLaterKey } from './afterSignIn.ts';
import styles from './FactorNotice.module.css';

/** Users may close it while they may put the second factor off, until they sign in again or open another tab. */
export function FactorNotice({ userId, username, need }: { userId: string; username: string; need: FactorNeed }) {
  const { data } = useQuery(queryFor(api.getSecondFactors));
  const putOff = useMutation({ ...mutationFor(api.putOffSecondFactor), meta: { refreshes: false } });
  const [isClosed, setClosed] = useState(() => tabItems.read(factorLaterKey) === userId);
  if (!data || (isClosed && need.laterUntil)) return null;
  const hasFactor = data.appSince !== null || data.passkeys.length > 0;
  const close = () => {
    tabItems.write(factorLaterKey, userId);
    setClosed(true);
    putOff.mutate({});
  };
  return (
    <aside aria-label="Two-factor sign-in" className={styles.notice}>
      <p className={styles.text}>{hasFactor ? hasFactorText : describeNeed(need, username)}</p>
      {need.canSetUp && !hasFactor && (
        <div className={styles.actions}>
          <Button component={Link} to="/second-factors">
            Set Up
          </Button>
          {need.laterUntil && (
            <Button variant="default" onClick={close}>
              Later
            </Button>
          )}
        </div>
      )}
    </aside>
  );
}

const hasFactorText = 'You signed in here before you set up two-factor sign-in. Log out and sign in again.';

function describeNeed({ laterUntil, canSetUp, isReviewer, needsTerminal }: FactorNeed, username: string): string {
  if (laterUntil)
    return `Please set up two-factor sign-in by ${formatInstantDay(laterUntil)}. ${describeDaysLeft(laterUntil)}${isReviewer ? ' Without it you can then do only what park staff can.' : ''}`;
  const reason = isReviewer ? 'You can do only what park staff can, because two-factor sign-in is not set up.' : '';
  if (canSetUp) return `${reason} Please set up two-factor sign-in now.`.trim();
  if (needsTerminal)
    return `${reason} No other Admin can help. Run on the server: ${getResetCommand(username)}. Sign in with the one-time password that it prints, and set up two-factor sign-in then.`;
  const who = isReviewer ? 'an Admin' : 'a manager';
  return `${reason} Ask ${who} for a one-time password, sign in with it, and set up two-factor sign-in then.`.trim();
}

function describeDaysLeft(laterUntil: string): string {
  const daysLeft = countDays(getToday(new Date(getServerTime())), getToday(new Date(laterUntil)));
  return daysLeft > 0 ? `${pluralise(daysLeft, 'day')} left.` : 'Today is the last day.';
}
