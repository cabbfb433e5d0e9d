import { hash } from 'node:crypto';

/** Returns the SHA-256 hash in hexadecimal. */
export const sha256 = (data: string | Uint8Array) => hash('sha256', data);
