// Whether the outbox has items, without opening the database: the outbox itself is loaded only if
// it does.
import { deviceItems } from '../browserItems.ts';
import { createStore } from '../createStore.ts';

const key = 'outbox-waiting';

/** Without storage, assume that items are waiting. */
const isMarked = () => deviceItems.read(key) !== null;
const changeCount = createStore(0);

export const waitingItems = {
  get: isMarked,
  set(hasItems: boolean) {
    if (hasItems === isMarked()) return;
    deviceItems.write(key, hasItems ? '1' : undefined);
    changeCount.set(changeCount.get() + 1);
  },
  subscribe(listener: () => void) {
    const unsubscribe = changeCount.subscribe(listener);
    // Changes made by other tabs.
    window.addEventListener('storage', listener);
    return () => {
      unsubscribe();
      window.removeEventListener('storage', listener);
    };
  },
};

/** Whether photos or signatures of the outbox are on their way. */
export const isSendingFiles = createStore(false);

/**
 * The user whose items are sent; undefined if signed out, and until a one-time password is
 * replaced.
 */
export const sendingUserId = createStore<string | undefined>(undefined);
