import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Bell, CheckCheck, Settings } from 'lucide-react';
import { Link } from 'wouter';
import { api } from '#shared/api.ts';
import { formatInstant } from '#shared/dates.ts';
import { mutationFor } from '../client/api.ts';
import { usePages } from '../client/usePages.ts';
import { ErrorBox } from '../ui/feedback/ErrorBox.tsx';
import { buildUrl } from '../ui/navigation/buildUrl.ts';
import { PageHeading } from '../ui/navigation/PageHeading.tsx';
import { RecordList } from '../ui/navigation/RecordList.tsx';
import { DeliveryList } from './DeliveryList.tsx';
import styles from './notifications.module.css';

/** The user's notifications of the last 90 days. */
export function NotificationsPage() {
  const notifications = usePages(api.listNotifications, {}, 50, ({ id }) => ({ before: id }));
  const readAll = useMutation(mutationFor(api.readAllNotifications));
  const read = useMutation(mutationFor(api.readNotification));
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
          disabled={!notifications.data?.pages.flat().some(({ read_at }) => read_at === null)}
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
      <ErrorBox message={readAll.isError ? 'Your notifications could not be marked as read. Please try again.' : ''} />
      <RecordList
        query={notifications}
        failed="Your notifications could not be loaded."
        empty={{
          text: 'No notifications yet',
          hint: 'Notifications appear here when something needs your attention.',
          icon: Bell,
        }}
        className={styles.list}
        row={({ id, text, link, created_at, read_at, deliveries }) => (
          <li className={styles.entry} data-unread={read_at === null || undefined}>
            <Link
              to={link}
              className={styles.link}
              onClick={() => {
                if (read_at === null) read.mutate({ params: { id } });
              }}
            >
              {text}
            </Link>
            <p className="quiet">
              {formatInstant(created_at)}
              {read_at === null && ', not read'}
            </p>
            <DeliveryList deliveries={deliveries} />
          </li>
        )}
      />
    </>
  );
}
