// Whether this browser can get messages from the server, and subscribing it.
import { findWorker } from '../client/pushSubscription.ts';

/** Why this browser cannot get messages; '' if it can. */
export function getPushProblem(): string {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return '';
  return /iPhone|iPad/.test(navigator.userAgent)
    ? 'On an iPhone or iPad, add this page to the home screen first and open it from there.'
    : 'This browser cannot show messages from this page.';
}

/** Asks the user for permission. Throws an error that says what to do if it is denied. */
export async function subscribe(key: string): Promise<PushSubscription> {
  const worker = await findWorker();
  if (!worker) throw new Error('Reload the page and try again.');
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('This browser does not let this page show messages. Allow notifications in its settings.');
  return worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}
