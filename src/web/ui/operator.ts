// What the server wrote into the page of who runs it.
const said = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';

export const operatorName = () => said('operator-name');

/** The address of the operator's own privacy notice; empty where there is none. */
export const privacyNotice = () => said('privacy-notice');
