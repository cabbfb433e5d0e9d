import { useQuery } from '@tanstack/react-query';
import { Bell } from 'lucide-react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { queryFor } from '../client/api.ts';
import { connection } from '../offline/connection.ts';
import { useStore } from '../useStore.ts';
import styles from './NotificationBell.module.css';

const pollMs = 8000;

/** The number of unread notifications, on every screen. */
export function NotificationBell() {
  const isReachable = useStore(connection) === 'online';
  const { data } = useQuery({
    ...queryFor(api.countNotifications),
    refetchInterval: pollMs,
    enabled: isReachable,
    retry: false,
  });
  const unread = data?.unread ?? 0;
  return (
    <Link
      to="/notifications"
      className={styles.bell}
      aria-label={unread > 0 ? `Notifications, ${unread} unread` : 'Notifications'}
    >
      <Bell aria-hidden size={22} />
      {unread > 0 && (
        <span aria-hidden className={styles.count}>
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </Link>
  );
}
