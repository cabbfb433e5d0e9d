// Signatures as PNG data URLs in the answers of checklists.

const prefix = 'data:image/png;base64,';
const isBase64 = (text: string) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);

/** Whether this is a PNG data URL. The server checks its content. */
export const isSignatureUrl = (answer: unknown): answer is string =>
  typeof answer === 'string' && answer.startsWith(prefix) && isBase64(answer.slice(prefix.length));

export const getSignatureBase64 = (signature: string) => signature.slice(prefix.length);
export const toSignatureUrl = (base64: string) => prefix + base64;
