// Installs the service worker when the page is idle, and detects newer versions.
import { backupsCache } from '#shared/caches.ts';
import { createStore } from '../createStore.ts';
import { checkConnection, connection, isOnline } from './connection.ts';
import { cacheReviewerScreensMessage } from './reviewerScreens.ts';

const checkIntervalMs = 60 * 60_000;
const idleDelayMs = 2000;
const firstRetryMs = 15_000;
const maxRetryMs = 30 * 60_000;

let registration: ServiceWorkerRegistration | undefined;
/** Whether a service worker serves this page. */
let hasController = false;
let retryTimer: ReturnType<typeof setTimeout> | undefined;

/** Whether a newer version waits, or another tab has already activated it. */
export const updateReady = createStore(false);

const announceUpdate = () => updateReady.set(true);

/**
 * Installs the service worker. Browsers without one (plain HTTP, some private windows) can use
 * every screen online.
 */
export function registerServiceWorker() {
  // In development, Vite serves changing files.
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // Cache only when nothing else is going on. Safari has no requestIdleCallback.
  const runWhenIdle = () => setTimeout(() => window.requestIdleCallback?.(startWorker) ?? startWorker(), idleDelayMs);
  if (document.readyState === 'complete') runWhenIdle();
  else window.addEventListener('load', runWhenIdle, { once: true });
}

function startWorker() {
  const { serviceWorker } = navigator;
  hasController = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    // The first worker takes over a page that came from the server.
    if (hasController) announceUpdate();
    hasController = true;
  });
  void install();
  const checkForUpdate = () => {
    // Offline it fails, and is tried again later.
    if (document.visibilityState === 'visible') registration?.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', checkForUpdate);
  setInterval(checkForUpdate, checkIntervalMs);
}

/** Tries again until the screens are cached, because a weak connection breaks often. */
async function install(retryMs = firstRetryMs): Promise<void> {
  const retry = () => {
    clearTimeout(retryTimer);
    retryTimer = setTimeout(install, retryMs, Math.min(2 * retryMs, maxRetryMs));
  };
  const newRegistration = await navigator.serviceWorker
    .register('/sw.js', { updateViaCache: 'none' })
    .catch(() => undefined);
  registration = newRegistration;
  const { installing, waiting, active } = newRegistration ?? {};
  // Another tab's installation may have failed before this tab could watch it.
  if (!newRegistration || !(installing || waiting || active)) return retry();

  const announceIfWaiting = () => newRegistration.waiting && hasController && announceUpdate();
  const handleStateChange = ({ target }: Event) => {
    announceIfWaiting();
    // The browser forgets a registration whose first worker could not be installed.
    if ((target as ServiceWorker).state === 'redundant' && !newRegistration.active) retry();
  };
  const watchInstallation = () => newRegistration.installing?.addEventListener('statechange', handleStateChange);
  announceIfWaiting();
  watchInstallation();
  newRegistration.addEventListener('updatefound', watchInstallation);
}

/** Caches the screens of reviewers, again when the connection is back. Returns a function that ends this. */
export function cacheReviewerScreens(): () => void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return () => {};
  const send = async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (isOnline()) active?.postMessage({ type: cacheReviewerScreensMessage });
  };
  void send();
  return connection.subscribe(() => void send());
}

/** Activates the newer version and reloads. Called only when the user agrees. */
export function updateNow() {
  const waiting = registration?.waiting;
  if (!waiting) return window.location.reload();
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), { once: true });
  waiting.postMessage({ type: 'SKIP_WAITING' });
}

/** Deletes the cached screens, so that the next load comes from the server; for broken screens. */
export async function clearCachedApp() {
  // Offline, only the cache can serve the screens.
  if (!('serviceWorker' in navigator) || (await checkConnection()) !== 'online') return;
  const registrations = await navigator.serviceWorker.getRegistrations();
  const names = (await caches.keys()).filter((name) => name !== backupsCache);
  await Promise.all([
    ...registrations.map((registration) => registration.unregister()),
    ...names.map((name) => caches.delete(name)),
  ]);
}
