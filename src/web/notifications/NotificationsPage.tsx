import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Bell, CheckCheck, Settings } from 'lucide-react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import type { Notification } from '#shared/notifications.ts';
import { callApi, mutationFor } from '../client/api.ts';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { Loading } from '../ui/loading/Loading.tsx';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { ShowMore } from '../ui/navigation/ShowMore.tsx';
import { DeliveryList } from './DeliveryList.tsx';
import styles from './notifications.module.css';

const pageSize = 50;

/** The user's notifications of the last 90 days. */
export function NotificationsPage() {
  const notificationPages = useInfiniteQuery({
    queryKey: [api.listNotifications.path],
    queryFn: ({ pageParam, signal }: { pageParam: string; signal: AbortSignal }) =>
      callApi(api.listNotifications, { query: { before: pageParam, limit: pageSize }, signal }),
    initialPageParam: '',
    getNextPageParam: (page: Notification[]) => (page.length === pageSize ? page.at(-1)?.id : undefined),
  });
  const readAll = useMutation(mutationFor(api.readAllNotifications));
  const read = useMutation(mutationFor(api.readNotification));
  const notifications = notificationPages.data?.pages.flat();
  return (
    <>
      <PageHeading title="Notifications" text="Your notifications of the last 90 days.">
        <Button
          variant="default"
          component={Link}
          to="/notification-settings"
          leftSection={<Settings aria-hidden size={18} />}
        >
          Notification Settings
        </Button>
        <Button
          leftSection={<CheckCheck aria-hidden size={18} />}
          loading={readAll.isPending}
          disabled={!notifications?.some(({ read_at }) => read_at === null)}
          onClick={() => readAll.mutate({})}
        >
          Mark All Read
        </Button>
      </PageHeading>
      {/* People look here for what is overdue, which notifications do not say. */}
      <nav aria-label="What is due" className={styles.due}>
        <Link to={buildUrl('/audits', { tab: 'open', state: 'open', overdue: 'yes' })}>Overdue audits</Link>
        <Link to="/checklists">Due checks</Link>
      </nav>
      {notificationPages.isPending && <Loading shape="rows" />}
      {notificationPages.isError && !notificationPages.data && (
        <ErrorBox message="Your notifications could not be loaded." onRetry={() => notificationPages.refetch()} />
      )}
      <ErrorBox message={readAll.isError ? 'Your notifications could not be marked as read. Please try again.' : ''} />
      {notifications?.length === 0 && (
        <EmptyState
          text="No notifications yet"
          hint="Notifications appear here when something needs your attention."
          icon={Bell}
        />
      )}
      {notifications && notifications.length > 0 && (
        <>
          <ul className={styles.list}>
            {notifications.map(({ id, text, link, created_at, read_at, deliveries }) => (
              <li key={id} className={styles.entry} data-unread={read_at === null || undefined}>
                <Link
                  to={link}
                  className={styles.link}
                  onClick={() => {
                    if (read_at === null) read.mutate({ params: { id } });
                  }}
                >
                  {text}
                </Link>
                <p className={styles.when}>
                  {formatInstant(created_at)}
                  {read_at === null && ', not read'}
                </p>
                <DeliveryList deliveries={deliveries} />
              </li>
            ))}
          </ul>
          <ShowMore list={notificationPages} />
        </>
      )}
    </>
  );
}
