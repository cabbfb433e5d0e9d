// This browser's subscription to messages from the server, and which user it belongs to.
import { deviceItems } from '../browserItems.ts';

const subscriberKey = 'push-user';

/** Call when a user has subscribed this browser. Without storage, the server unsubscribes it with the session. */
export const rememberSubscriber = (userId: string) => deviceItems.write(subscriberKey, userId);

/** The worker that shows messages; undefined if the app has no service worker. */
export const findWorker = async () => navigator.serviceWorker?.getRegistration();

export const findSubscription = async () => (await (await findWorker())?.pushManager?.getSubscription()) ?? undefined;

/**
 * Unsubscribes this browser at a sign-out, or if another user has signed in: a session that ended
 * by itself leaves it subscribed. Closes the messages that are still shown.
 */
export async function unsubscribe(signedInUserId?: string): Promise<void> {
  const subscriber = deviceItems.read(subscriberKey);
  if (!subscriber || subscriber === signedInUserId) return;
  await (await findSubscription())?.unsubscribe();
  for (const message of (await (await findWorker())?.getNotifications()) ?? []) message.close();
  deviceItems.write(subscriberKey, undefined);
}
