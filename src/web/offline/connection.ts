// Whether the server can be reached. Only requests decide, because navigator.onLine is unreliable:
// Chromium 150 does not update it for pages from the service worker, and Firefox sends no `online`
// event after a page was opened offline.
import { createStore, type Store } from '../createStore.ts';

/** `offline`: no response. `unreachable`: a gateway responded, or the server is unavailable. */
export type Connection = 'online' | 'offline' | 'unreachable';

const probeEveryMs = 3000;
/** On a slow connection busy with photos, a response takes several seconds. */
const probeTimeoutMs = 10_000;

const state = createStore<Connection>('online');
let inFlight: Promise<Connection> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

export const connection: Store<Connection> = state;

export const isOnline = () => state.get() === 'online';

/**
 * Checks the server now and every 3 s until it responds. A single failed request proves nothing (an
 * extension may have blocked it), so every change of state goes through here.
 */
export function checkConnection(): Promise<Connection> {
  inFlight ??= probeServer().then((newState) => {
    inFlight = undefined;
    clearTimeout(timer);
    if (newState !== 'online') timer = setTimeout(checkConnection, probeEveryMs);
    state.set(newState);
    return newState;
  });
  return inFlight;
}

const isFromGateway = (status: number) => [502, 503, 504].includes(status);

async function probeServer(): Promise<Connection> {
  try {
    const { status } = await fetch('/healthz', {
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(probeTimeoutMs),
    });
    return isFromGateway(status) ? 'unreachable' : 'online';
  } catch {
    return 'offline';
  }
}

/** Call with the status of every response, 0 for none; an unexpected one starts a check. */
export function reportStatus(status: number) {
  const hasFailed = status === 0 || isFromGateway(status);
  if (hasFailed === isOnline()) void checkConnection();
}

/** Checks at once when the connection may have changed. The events' own state is ignored. */
export function watchConnection() {
  window.addEventListener('online', checkConnection);
  window.addEventListener('offline', checkConnection);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !isOnline()) void checkConnection();
  });
}
