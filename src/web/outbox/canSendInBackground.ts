import { signedOutUserId } from '../client/signedOutUserId.ts';
import type { OutboxItem } from './items.ts';

/** Whether the service worker sends the item without a page. One without a user waits for a sign-in. */
export const canSendInBackground = (item: OutboxItem | undefined): boolean =>
  'SyncManager' in window && Boolean(navigator.serviceWorker?.controller) && item?.userId !== signedOutUserId;
