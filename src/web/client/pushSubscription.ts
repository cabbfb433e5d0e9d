// This browser's subscription to messages from the server, and which user it belongs to.

const subscriberKey = 'push-user';

function readSubscriber(): string | null {
  try {
    return localStorage.getItem(subscriberKey);
  } catch {
    return null;
  }
}

/** Call when a user has subscribed this browser. */
export function rememberSubscriber(userId: string) {
  try {
    localStorage.setItem(subscriberKey, userId);
  } catch {} // the server unsubscribes it with the session
}

/** The worker that shows messages; undefined if the app has no service worker. */
export const findWorker = async () => navigator.serviceWorker?.getRegistration();

export const findSubscription = async () => (await (await findWorker())?.pushManager?.getSubscription()) ?? undefined;

/**
 * Unsubscribes this browser at a sign-out, or if another user has signed in: a session that ended
 * by itself leaves it subscribed. Closes the messages that are still shown.
 */
export async function unsubscribe(signedInUserId?: string): Promise<void> {
  const subscriber = readSubscriber();
  if (subscriber === null || subscriber === signedInUserId) return;
  await (await findSubscription())?.unsubscribe();
  for (const message of (await (await findWorker())?.getNotifications()) ?? []) message.close();
  try {
    localStorage.removeItem(subscriberKey);
  } catch {}
}
