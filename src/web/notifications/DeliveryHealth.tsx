import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { formatInstant, getTimeNow, getToday } from '#shared/dates.ts';
import { queryFor } from '../client/api.ts';
import styles from './notifications.module.css';

/**
 * Warns Admins if email is set up wrongly or has been failing. Shows nothing while email works.
 */
export function DeliveryHealth() {
  const { data } = useQuery({ ...queryFor(api.getDeliveryHealth), refetchInterval: 60_000 });
  const text = data && (data.problem || describeFailure(data.emailFailingSince));
  return text ? (
    <p role="alert" className={styles.problem}>
      {text}
    </p>
  ) : null;
}

function describeFailure(since: string | null): string {
  if (!since) return '';
  const at = new Date(since);
  return `Email has been failing since ${getToday(at) === getToday() ? getTimeNow(at) : formatInstant(since)}.`;
}
