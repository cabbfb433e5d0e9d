// Notifications, and messages by email and push.
import type { NotificationChannel, NotificationKind } from '#shared/notifications.ts';
import type { Flag } from './flag.ts';

export type NotificationTables = {
  /** Notifications shown in the app. Deleted after 90 days. */
  notifications: {
    id: string;
    position: number;
    user_id: string;
    kind: NotificationKind;
    /** Ensures that a user is notified of an event only once. */
    event: string;
    thing: string;
    thing_id: string;
    /** Only users who see this park are notified; empty for all parks. */
    park: string;
    words: string;
    link: string;
    created_at: string;
    read_at: string | null;
  };
  /** A row for each kind of notification that a user has switched off on a channel. */
  notifications_off: { user_id: string; kind: NotificationKind; channel: NotificationChannel };
  /** One message to one user by one channel. Stored as long as the record it is about. */
  deliveries: {
    id: string;
    position: number;
    user_id: string;
    user_name: string;
    channel: 'email' | 'push';
    /** The device; empty for email. */
    subscription_id: string;
    /** For email: the earlier address of the user, deleted once the message is sent; empty for the current one. */
    address: string;
    kind: NotificationKind;
    event: string;
    thing: string;
    thing_id: string;
    park: string;
    /** The text sent by email and push: kind, number and park only. */
    line: string;
    link: string;
    is_urgent: Flag;
    created_at: string;
    due_at: string;
    state: 'waiting' | 'sent' | 'failed' | 'dropped';
    attempts: number;
    /** The end of the lease of the instance that is sending it; empty if none. */
    leased_until: string;
  };
  /** The mail server's or push service's response to each attempt. */
  delivery_attempts: {
    id: string;
    delivery_id: string;
    /** The same for all deliveries that are sent as one message. */
    message_id: string;
    channel: 'email' | 'push';
    at: string;
    is_accepted: Flag;
    answer: string;
  };
  push_subscriptions: {
    id: string;
    user_id: string;
    /** The hash of the session's token: signing out unsubscribes the device. */
    session: string;
    endpoint: string;
    p256dh: string;
    auth: string;
    created_at: string;
  };
  push_keys: { id: 1; public_key: string; private_key: string };
};
