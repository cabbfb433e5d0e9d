// What the server wrote into the page of who runs it.
const said = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

export const operatorName = () => said('operator-name');

/** How many characters a password must have at least. */
export const passwordMin = () => Number(said('password-min'));

/** The address of the operator's own privacy notice; empty where there is none. */
export const privacyNotice = () => said('privacy-notice');
