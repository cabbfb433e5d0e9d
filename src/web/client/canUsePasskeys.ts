import { getPasskeyHost } from '../operator.ts';
import { getSharedDevice } from './sharedDevice.ts';

/** Whether this browser can use passkeys at this address. Everyone knows the screen lock of a shared device. */
export const canUsePasskeys = () =>
  'PublicKeyCredential' in window && window.location.hostname === getPasskeyHost() && !getSharedDevice();
