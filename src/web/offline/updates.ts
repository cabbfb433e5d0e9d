// Brings the service worker onto the device once the page is at rest, and tells when a newer version of the screens is ready.
import { checkConnection } from './connection.ts';

const checkIntervalMs = 60 * 60_000;
const settleMs = 2000;

let registration: ServiceWorkerRegistration | undefined;
let isReady = false;
const listeners = new Set<() => void>();

/** For useSyncExternalStore: whether a newer version waits, or another tab has already changed over to it. */
export const isUpdateReady = () => isReady;

export function subscribeToUpdates(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function announceUpdate() {
  isReady = true;
  for (const listener of listeners) listener();
}

/** Starts it all. Where there are no service workers (plain HTTP, some private windows) the screens work as before. */
export function registerServiceWorker() {
  // While developing, the files come from Vite, and change under the page.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // The first screen comes first: the copy is made when nothing else is going on. Safari has no requestIdleCallback.
  const whenIdle = () => setTimeout(() => window.requestIdleCallback?.(start) ?? start(), settleMs);
  if (document.readyState === 'complete') whenIdle();
  else window.addEventListener('load', whenIdle, { once: true });
}

async function start() {
  const { serviceWorker } = navigator;
  let controller = serviceWorker.controller;
  serviceWorker.addEventListener('controllerchange', () => {
    // The very first worker takes over a page of its own version.
    if (controller) announceUpdate();
    controller = serviceWorker.controller;
  });
  registration = await serviceWorker.register('/sw.js', { updateViaCache: 'none' }).catch(() => undefined);
  if (!registration) return;

  const found = registration;
  const look = () => found.waiting && controller && announceUpdate();
  look();
  found.addEventListener('updatefound', () => found.installing?.addEventListener('statechange', look));
  const ask = () => {
    if (document.visibilityState === 'visible') found.update().catch(() => undefined); // no signal: another time
  };
  document.addEventListener('visibilitychange', ask);
  setInterval(ask, checkIntervalMs);
}

/** Changes over to the newer version, and loads the page anew. Only ever called because somebody pressed a button. */
export function updateNow() {
  const waiting = registration?.waiting;
  if (!waiting) return window.location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), { once: true });
  waiting.postMessage({ type: 'SKIP_WAITING' });
}

/** Takes the kept screens off this device, so that the next load is the server's: the way out when they are broken. */
export async function clearCachedApp() {
  // Offline they are all there is.
  if (!('serviceWorker' in navigator) || (await checkConnection()) !== 'online') return;
  const registrations = await navigator.serviceWorker.getRegistrations();
  const names = await caches.keys();
  await Promise.all([
    ...registrations.map((registration) => registration.unregister()),
    ...names.map((name) => caches.delete(name)),
  ]);
}
