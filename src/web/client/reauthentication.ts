// Holds requests while the user must sign in again, or confirm that it is them.
import { createStore } from '../createStore.ts';

/** Requests that wait for the same thing share one promise. */
function createGate() {
  /** A new object after each opening, so that listeners are called even if no request waited. */
  const state = createStore<{ waiting?: PromiseWithResolvers<boolean> }>({});
  return {
    isClosed: { get: () => state.get().waiting !== undefined, subscribe: state.subscribe },
    /** Resolves with what `open` is called with. */
    wait(): Promise<boolean> {
      const waiting = state.get().waiting ?? Promise.withResolvers<boolean>();
      state.set({ waiting });
      return waiting.promise;
    },
    open(isDone: boolean) {
      state.get().waiting?.resolve(isDone);
      state.set({});
    },
  };
}

const signIn = createGate();
/** Asks the user to sign in; resolves when they have. */
export const waitForSignIn = signIn.wait;
/** Resumes the requests that wait for a sign-in. */
export const resumeRequests = () => signIn.open(true);
/** Whether a request waits for the user to sign in. */
export const signInRequired = signIn.isClosed;

const confirmation = createGate();
let typedPassword: string | undefined;
/**
 * Asks for the password and second factor; resolves with whether the user entered them. The password is
 * not asked for again if the user has just typed it in the form that waits.
 */
export function waitForConfirmation(password: string | undefined): Promise<boolean> {
  typedPassword = password;
  return confirmation.wait();
}
export const getTypedPassword = () => typedPassword;
export function endConfirmation(isDone: boolean) {
  typedPassword = undefined;
  confirmation.open(isDone);
}
export const confirmationRequired = confirmation.isClosed;
