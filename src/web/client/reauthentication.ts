// Holds requests while an expired session waits for the user to sign in again.

let waiting: { promise: Promise<void>; resolve: () => void } | undefined;
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};

/** Asks the user to sign in; resolves when they have. Callers share one sign-in. */
export function waitForSignIn(): Promise<void> {
  if (!waiting) {
    let resolve = () => {};
    const promise = new Promise<void>((resolvePromise) => {
      resolve = resolvePromise;
    });
    waiting = { promise, resolve };
    notify();
  }
  return waiting.promise;
}

/** Resumes all waiting requests. */
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
