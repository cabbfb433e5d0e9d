/** The operator's name, as the server wrote it into the page. */
export const operatorName = () => document.querySelector<HTMLMetaElement>('meta[name="operator-name"]')?.content ?? '';
