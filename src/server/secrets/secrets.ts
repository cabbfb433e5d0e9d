// Encrypts the few stored secrets that the server must read again, so that a copy of the database
// alone does not contain them.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

export const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
/** The beginning of every encrypted value; a later format gets another one. */
const prefix = 'v1.';

export type Secrets = {
  /** Encrypts a text that belongs to `owner`: an id that is stored beside it. */
  encrypt(text: string, owner: string): string;
  /** Throws if the value was encrypted with another key or for another owner, or was changed. */
  decrypt(stored: string, owner: string): string;
  /** Returns a hash of the text that nobody can compute without the key. `use` keeps different uses apart. */
  hash(use: string, text: string): Buffer;
};

/** Uses AES-256-GCM. `key` has 32 bytes. */
export function createSecrets(key: Buffer): Secrets {
  return {
    encrypt(text, owner) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
      const encrypted = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return prefix + encrypted.toString('base64url');
    },
    decrypt(stored, owner) {
      if (!isEncrypted(stored)) throw new Error('A stored secret is not encrypted.');
      const encrypted = Buffer.from(stored.slice(prefix.length), 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, ivBytes), {
        authTagLength: tagBytes,
      });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(encrypted.subarray(-tagBytes));
      return Buffer.concat([decipher.update(encrypted.subarray(ivBytes, -tagBytes)), decipher.final()]).toString();
    },
    hash: (use, text) =>
      createHmac('sha256', key)
        .update(JSON.stringify([use, text]))
        .digest(),
  };
}

export const isEncrypted = (stored: string) => stored.startsWith(prefix);

/** Returns a text that identifies a key without revealing it. */
export const getFingerprint = (key: Buffer) => createHmac('sha256', key).update('fingerprint').digest('hex');
