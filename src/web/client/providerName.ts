import { readProviderName } from '../operator.ts';
import { getSharedDevice } from './sharedDevice.ts';

/** Returns the name of the provider for single sign-on; '' without one, and on shared devices. */
export const getProviderName = () => (getSharedDevice() ? '' : readProviderName());
