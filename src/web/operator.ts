// Reads the operator's settings from the page.
const readMeta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

export const getOperatorName = () => readMeta('operator-name');

export const getMinPasswordLength = () => Number(readMeta('password-min'));

/** Returns the URL of the operator's privacy notice; '' if there is none. */
export const getPrivacyNoticeUrl = () => readMeta('privacy-notice');

/** Returns the host name at which passkeys work; '' if there is none. */
export const getPasskeyHost = () => readMeta('passkey-host');

/** Returns the name of the provider for single sign-on; '' if there is none. */
export const readProviderName = () => readMeta('provider-label');

/** Whether the address of the server is set, which labels and cards print; otherwise they print the browser's own. */
export const isAddressSet = () => readMeta('address-set') === '1';

/** Returns the host that the labels of places lead to; '' if places have no labels. */
export const getGuestUrl = () => readMeta('guest-url');
