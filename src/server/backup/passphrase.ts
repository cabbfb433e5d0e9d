// Encrypts backups in the age format (age-encryption.org). Deriving a key from a passphrase is slow
// by design, so it happens once: each backup has its own key, the passphrase opens the key, and the
// key opens the files.
import type { Decrypter, Encrypter } from 'age-encryption';
import { type Config, readSettingFile } from '../config.ts';

const minLength = 12;

/**
 * Returns the passphrase from the settings, or undefined. Throws if it cannot be read or is easily
 * guessed.
 */
export async function readPassphrase({ backup }: Config): Promise<string | undefined> {
  const { passphrase, passphraseFile } = backup;
  if (passphrase && passphraseFile) throw new Error('Set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE, not both.');
  const text = passphraseFile
    ? (await readSettingFile('BACKUP_PASSPHRASE_FILE', passphraseFile)).toString().replace(/\r?\n$/, '')
    : passphrase;
  if (!text && !passphraseFile) return undefined;
  if ([...text].length < minLength)
    throw new Error(`The passphrase for backups is too short: it takes at least ${minLength} characters.`);
  return text;
}

/** The key of a backup. `file` contains it encrypted with the passphrase. */
export type Key = { file: Uint8Array; encrypter: Encrypter };

/** Creates a key. `scryptWorkFactor` is the cost of each guess at the passphrase, as a power of two. */
export async function createKey(passphrase: string, scryptWorkFactor: number): Promise<Key> {
  const age = await import('age-encryption');
  const identity = await age.generateX25519Identity();
  const encrypter = new age.Encrypter();
  encrypter.addRecipient(await age.identityToRecipient(identity));
  const keyEncrypter = new age.Encrypter();
  keyEncrypter.setPassphrase(passphrase);
  keyEncrypter.setScryptWorkFactor(scryptWorkFactor);
  return { file: await keyEncrypter.encrypt(`${identity}\n`), encrypter };
}

/** Throws if the passphrase is wrong. */
export async function openKey(file: Uint8Array, passphrase: string): Promise<Decrypter> {
  const age = await import('age-encryption');
  const keyDecrypter = new age.Decrypter();
  keyDecrypter.addPassphrase(passphrase);
  const identity = await keyDecrypter.decrypt(file, 'text').catch((cause) => {
    throw new Error('The passphrase is wrong, or the key of the backup is damaged.', { cause });
  });
  const decrypter = new age.Decrypter();
  decrypter.addIdentity(identity.trim());
  return decrypter;
}
