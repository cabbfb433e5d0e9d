// The numbers of records that need attention. Each links to the list that it counts; those that are 0 are one
// quiet line.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { canSeeParks } from '#shared/access.ts';
import { api } from '#shared/api.ts';
import { attentionLists, type ListScope } from '#shared/overview/lists.ts';
import type { Overview } from '#shared/overview/overview.ts';
import { parseParks } from '#shared/park-list.ts';
import { queryFor } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { getGuestUrl } from '../operator.ts';
import { describeParks } from '../ui/forms/parkChoices.ts';
import { getListUrl } from './links.ts';
import styles from './overview.module.css';

/** The words after each number: the plural, and the singular if it differs. */
const texts: Record<keyof typeof attentionLists, [many: string, one?: string]> = {
  unopenedReports: ['reports not yet opened', 'report not yet opened'],
  overdue: ['RIDDOR deadlines passed', 'RIDDOR deadline passed'],
  toReport: ['to report under RIDDOR'],
  toAssess: ['to assess for RIDDOR'],
  toReview: ['RIDDOR decisions to check again', 'RIDDOR decision to check again'],
  overdueAudits: ['overdue audits', 'overdue audit'],
  auditsToVerify: ['audits to verify', 'audit to verify'],
  missedChecks: ['missed checks in this period', 'missed check in this period'],
  openInvestigations: ['open investigations', 'open investigation'],
  notReady: ['not ready to open'],
  guestMessages: ['messages from guests', 'message from a guest'],
};

/** The numbers that count records of the user's parks only. */
const ofOwnParks: (keyof typeof texts)[] = ['overdueAudits', 'auditsToVerify', 'guestMessages'];

/** The numbers of what is late, whose edge has the colour of overdue records. */
const lateNames: (keyof typeof texts)[] = ['overdue', 'overdueAudits', 'missedChecks'];

const riddorNames: (keyof typeof texts)[] = ['overdue', 'toReport', 'toAssess', 'toReview'];

export function Attention({ attention, scope }: { attention: Overview['attention']; scope: ListScope }) {
  const { park } = scope;
  const user = useUser();
  const [shownParks, ownParks] = [parseParks(park ?? ''), user.parks?.join()];
  const isLimited = ownParks !== undefined && (shownParks.length === 0 || !canSeeParks(user, shownParks));
  const { data: duties } = useQuery(queryFor(api.countDuties, { query: { park } }));
  const numbers: Partial<Record<keyof typeof attentionLists, number | null>> = { ...duties, ...attention };
  const names = (Object.keys(texts) as (keyof typeof texts)[]).filter(
    (name) =>
      (name !== 'guestMessages' || getGuestUrl() || attention.guestMessages > 0) &&
      // Only a correction of the rules leads to such decisions.
      (name !== 'toReview' || numbers.toReview),
  );
  const items = names.map((name) => {
    const [many, one = many] = texts[name];
    const number = numbers[name];
    const where = ofOwnParks.includes(name) && isLimited ? ` at ${describeParks(ownParks)}` : '';
    return {
      name,
      number,
      text: (number === 1 ? one : many) + where,
      to: getListUrl(attentionLists[name]({ ...scope, type: undefined })),
    };
  });
  const [nothing, cards] = [items.filter(({ number }) => number === 0), items.filter(({ number }) => number !== 0)];
  const hasRiddorItems = items.some(({ name, number }) => riddorNames.includes(name) && number);
  return (
    <>
      {cards.length > 0 && (
        <ul className={styles.attention}>
          {cards.map(({ name, number, text, to }) => (
            <li key={name}>
              <Link to={to} className={styles.card} data-late={lateNames.includes(name) || undefined}>
                <span className={styles.number}>{number ?? '–'}</span> <span>{text}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {nothing.length > 0 && (
        <ul className={styles.nothing}>
          {nothing.map(({ name, text, to }) => (
            <li key={name}>
              <Link to={to}>0 {text}</Link>
            </li>
          ))}
        </ul>
      )}
      {hasRiddorItems && (
        <Text size="sm" c="dimmed" mt="xs">
          Advice under RIDDOR: a manager decides.
        </Text>
      )}
    </>
  );
}
