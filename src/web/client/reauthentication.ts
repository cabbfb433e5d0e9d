// Where calls wait when the session has ended in the middle of work, until the person has signed in again.

let waiting: { promise: Promise<void>; resolve: () => void } | undefined;
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};

/** Asks the person to sign in; resolves when they have. All who ask meanwhile wait for the same sign-in. */
export function waitForSignIn(): Promise<void> {
  if (!waiting) {
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    waiting = { promise, resolve };
    notify();
  }
  return waiting.promise;
}

/** Lets everyone through who waits. */
export function resumeRequests() {
  waiting?.resolve();
  waiting = undefined;
  notify();
}

export const isSignInRequired = () => waiting !== undefined;

/** For useSyncExternalStore. */
export function subscribeToSignIn(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
