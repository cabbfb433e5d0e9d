// Whether the outbox has items, without opening the database: the outbox itself is loaded only if
// it does.

const key = 'outbox-waiting';
const listeners = new Set<() => void>();

export function getHasWaitingItems(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return true;
  }
}

export function setHasWaitingItems(hasWaitingItems: boolean) {
  if (hasWaitingItems === getHasWaitingItems()) return;
  try {
    if (hasWaitingItems) localStorage.setItem(key, '1');
    else localStorage.removeItem(key);
  } catch {} // assume that items are waiting
  for (const listener of listeners) listener();
}

export function subscribeToWaitingItems(listener: () => void) {
  listeners.add(listener);
  // Changes made by other tabs.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

let userId: string | undefined;
const userListeners = new Set<(userId: string | undefined) => void>();

/** Call whenever the signed-in user becomes known. */
export function setSignedInUser(id: string | undefined) {
  if (id === userId) return;
  userId = id;
  for (const listener of userListeners) listener(id);
}

/** Calls the listener now and after every change. */
export function subscribeToSignedInUser(listener: (userId: string | undefined) => void) {
  userListeners.add(listener);
  listener(userId);
}
