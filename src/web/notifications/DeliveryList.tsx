import { formatRecentInstant } from '#shared/dates.ts';
import type { Delivery } from '#shared/notifications.ts';
import { describeDelivery } from '#shared/notifications.ts';
import { useNames } from '../client/names.ts';
import styles from './notifications.module.css';

/** The users notified by email or push, and the services' responses. */
export function DeliveryList({ deliveries }: { deliveries: Delivery[] }) {
  const showName = useNames();
  if (deliveries.length === 0) return null;
  return (
    <ul className={styles.deliveries}>
      {deliveries.map((delivery, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no identity
        <li key={index} data-failed={delivery.state === 'failed' || undefined}>
          {describeDelivery({ ...delivery, to: showName(delivery.to) }, formatRecentInstant)}
        </li>
      ))}
    </ul>
  );
}
