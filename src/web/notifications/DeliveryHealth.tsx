import { useQuery } from '@tanstack/react-query';
import { api } from '#shared/api.ts';
import { formatRecentInstant } from '#shared/dates.ts';
import { queryFor } from '../client/api.ts';
import styles from './notifications.module.css';

/**
 * Warns Admins if email is set up wrongly or has been failing. Shows nothing while email works.
 */
export function DeliveryHealth() {
  const { data } = useQuery({ ...queryFor(api.getDeliveryHealth), refetchInterval: 60_000 });
  const since = data?.emailFailingSince;
  const text = data?.problem || (since && `Email has been failing since ${formatRecentInstant(since)}.`);
  return text ? (
    <p role="alert" className={styles.problem}>
      {text}
    </p>
  ) : null;
}
