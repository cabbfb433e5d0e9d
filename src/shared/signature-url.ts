// A signature as text: a PNG in a data URL, as the answers of checklists carry it.

const prefix = 'data:image/png;base64,';
const isBase64 = (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/** Whether this is written as a PNG in a data URL. What is in it is for the server to see. */
export const isSignatureUrl = (answer: unknown): answer is string =>
  typeof answer === 'string' && answer.startsWith(prefix) && isBase64(answer.slice(prefix.length));

/** The base64 of a signature that has been read. */
export const getSignatureBase64 = (signature: string) => signature.slice(prefix.length);
export const toSignatureUrl = (base64: string) => prefix + base64;
