// Asks the browser for passkeys. Loaded when one is used.
import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import { api } from '#shared/api.ts';
import { ApiError } from '#shared/client.ts';
import { callApi } from '../client/api.ts';

/** Replaces the browser's error, which is English for developers and does not say whether the user cancelled. */
const explain = (message: string) => (error: unknown) => {
  const hasPasskey = error instanceof Error && error.name === 'InvalidStateError';
  throw new ApiError(
    400,
    JSON.stringify({ message: hasPasskey ? 'This device has a passkey of yours already' : message }),
  );
};

/** Lets the user choose a passkey. Returns what it signed. */
export async function askForPasskey() {
  const optionsJSON = await callApi(api.requestPasskey);
  return startAuthentication({ optionsJSON }).catch(explain('No passkey was used. Try again, or choose another way.'));
}

export const signInWithPasskey = async () =>
  callApi(api.signInWithPasskey, { body: { passkey: await askForPasskey() } });

/** Creates a passkey and stores it under this name. */
export async function addPasskey(name: string) {
  const optionsJSON = await callApi(api.startPasskeySetUp);
  const passkey = await startRegistration({ optionsJSON }).catch(explain('No passkey was made. You can try again.'));
  return callApi(api.addPasskey, { body: { name, passkey } });
}
