import { hash } from 'node:crypto';

/** Hexadecimal. */
export const sha256 = (data: string | Uint8Array) => hash('sha256', data);
