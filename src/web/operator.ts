// What the server wrote into the page of who runs it.
const readMeta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

export const getOperatorName = () => readMeta('operator-name');

/** How many characters a password must have at least. */
export const getMinPasswordLength = () => Number(readMeta('password-min'));

/** The address of the operator's own privacy notice; empty where there is none. */
export const getPrivacyNoticeUrl = () => readMeta('privacy-notice');
