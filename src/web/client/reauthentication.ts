// Holds requests while an expired session waits for the user to sign in again.
import { createStore } from '../createStore.ts';

/** A new object after each sign-in, so that listeners hear of it also if no request waited. */
const state = createStore<{ signIn?: PromiseWithResolvers<void> }>({});

/** Asks the user to sign in; resolves when they have. Callers share one sign-in. */
export function waitForSignIn(): Promise<void> {
  const signIn = state.get().signIn ?? Promise.withResolvers<void>();
  state.set({ signIn });
  return signIn.promise;
}

/** Resumes all waiting requests. */
export function resumeRequests() {
  state.get().signIn?.resolve();
  state.set({});
}

/** Whether a request waits for the user to sign in. */
export const signInRequired = { get: () => state.get().signIn !== undefined, subscribe: state.subscribe };
