// What the user should do now, each number with a link to its list: one line, if there is something.
import { Fragment, useState } from 'react';
import { Link } from 'wouter';
import type { DoNow } from '#shared/overview/overview.ts';
import { pluralise } from '#shared/pluralise.ts';
import { useSession } from '../client/session.ts';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import styles from './DoNowLine.module.css';

type Item = [name: keyof DoNow, describe: (count: number) => string, to: (parks: string | undefined) => string];

const items: Item[] = [
  ['checks', (count) => pluralise(count, 'check'), () => '/checklists'],
  ['audits', (count) => pluralise(count, 'audit'), () => '/audits?tab=mine'],
  [
    'reports',
    (count) => pluralise(count, 'new report'),
    (park) => buildUrl('/get-reports', { view: 'list', unopened: '1', park }),
  ],
  ['hurt', (count) => `${pluralise(count, 'message')}: someone was hurt`, () => '/messages?hurt=1'],
];

export function DoNowLine() {
  const { doNow, user, isUnreachable } = useSession();
  const shown = items.filter(([name]) => doNow?.[name]);
  // The form below must not move: what there is when the screen opens decides about the space.
  const [hasLine] = useState(shown.length > 0);
  if (!hasLine) return null;
  const isStaff = doNow?.checks !== undefined;
  return (
    <p className={styles.doNow}>
      {shown.length > 0 && (
        <>
          {isStaff ? 'Due now' : 'Needs attention'}
          {isUnreachable && ' when last connected'}:{' '}
          {shown.map(([name, describe, getUrl], index) => (
            <Fragment key={name}>
              {index > 0 && ', '}
              <Link to={getUrl(user?.parks?.join())}>{describe(doNow?.[name] ?? 0)}</Link>
            </Fragment>
          ))}
        </>
      )}
    </p>
  );
}
