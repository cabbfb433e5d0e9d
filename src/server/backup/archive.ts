// Reads and writes the files of a backup. Callers need not know whether it is encrypted.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Config } from '../config.ts';
import { sync } from '../files/sync.ts';
import { createManifestHash, type Manifest, manifestHashName, manifestName, parseManifest } from './manifest.ts';
import { type Key, openKey, readPassphrase } from './passphrase.ts';

/** Suffix of a backup's folder until the backup is complete and synced, and while it is being deleted. */
export const partialEnding = '.partial';

const keyName = 'key.age';
const encryptedEnding = '.age';

export type BackupWriter = {
  isEncrypted: boolean;
  put(path: string, bytes: Uint8Array): Promise<void>;
  /** Copies a file into the backup. */
  putFile(path: string, from: string): Promise<void>;
  /**
   * Adds a file that never changes as a hard link, which needs no space; copies it where links are
   * not possible.
   */
  putLink(path: string, from: string): Promise<void>;
  /** Writes the manifest as the last step, and syncs everything to disk. */
  writeManifest(manifest: Manifest): Promise<void>;
};

/** Starts a backup in an empty folder. With a key, no plaintext is ever written to it. */
export async function createArchive(folder: string, key: Key | undefined): Promise<BackupWriter> {
  const folders = new Set<string>();

  async function prepareFolder(path: string): Promise<string> {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    for (let above = dirname(target); above !== dirname(folder); above = dirname(above)) folders.add(above);
    return target;
  }
  const named = (path: string) => (key ? `${path}${encryptedEnding}` : path);
  const options = { mode: 0o640, flag: 'wx', flush: true } as const;
  const write = async (path: string, bytes: Uint8Array) => writeFile(await prepareFolder(path), bytes, options);
  const put = async (path: string, bytes: Uint8Array) =>
    write(named(path), key ? await key.encrypter.encrypt(bytes) : bytes);
  const putFile = async (path: string, from: string) => {
    const source = createReadStream(from);
    const stream = key
      ? Readable.fromWeb((await key.encrypter.encrypt(toWebStream(source))) as ReadableStream)
      : source;
    await pipeline(
      stream,
      createWriteStream(await prepareFolder(named(path)), { mode: 0o640, flags: 'wx', flush: true }),
    );
  };

  if (key) await write(keyName, key.file);
  return {
    isEncrypted: key !== undefined,
    put,
    putFile,
    async putLink(path, from) {
      if (key) return putFile(path, from);
      await link(from, await prepareFolder(path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') throw error;
        return putFile(path, from);
      });
    },
    async writeManifest(manifest) {
      const text = `${JSON.stringify(manifest, null, 1)}\n`;
      await put(manifestName, Buffer.from(text));
      // Encrypted files need no hash of the manifest, because their format detects changes.
      if (!key) await put(manifestHashName, Buffer.from(createManifestHash(text)));
      for (const createdFolder of folders) await sync(createdFolder);
    },
  };
}

export type BackupReader = {
  manifest: Manifest;
  /** The stream fails if the content has changed. */
  read(path: string): Promise<Readable>;
  /** Throws if the backup lacks a file, has an extra one, or one that was changed. */
  check(): Promise<void>;
};

/**
 * Opens a finished backup, with the passphrase from the settings if it has one. Throws if the
 * folder is not a finished backup, its manifest was changed, or the passphrase is missing or wrong.
 */
export async function openArchive(config: Config, folder: string): Promise<BackupReader> {
  if (resolve(folder).endsWith(partialEnding))
    throw new Error(
      `${folder} is not a backup: it was interrupted before it was complete. Delete it and create another.`,
    );
  const isEncrypted = await fileExists(join(folder, `${manifestName}${encryptedEnding}`));
  const decrypter = isEncrypted ? await openKey(await readKey(folder), await requirePassphrase(config)) : undefined;
  const ending = isEncrypted ? encryptedEnding : '';

  const read = async (path: string): Promise<Readable> => {
    const source = createReadStream(join(folder, `${path}${ending}`));
    if (!decrypter) return source;
    return Readable.fromWeb((await decrypter.decrypt(toWebStream(source))) as ReadableStream);
  };
  const manifest = isEncrypted ? parseManifest(await readText(read)) : await readHashedManifest(folder);

  return {
    manifest,
    read,
    async check() {
      const foundPaths = new Set(await listFiles(folder));
      for (const name of isEncrypted ? [keyName, `${manifestName}${ending}`] : [manifestName, manifestHashName])
        foundPaths.delete(name);
      for (const [path, manifestEntry] of Object.entries(manifest.files)) {
        if (!foundPaths.delete(`${path}${ending}`)) throw new Error(`The backup is damaged: ${path} is missing.`);
        if ((await hashFile(read, path)) !== manifestEntry.sha256)
          throw new Error(`The backup is damaged: ${path} has changed.`);
      }
      for (const path of foundPaths) throw new Error(`The backup is damaged: ${path} does not belong to it.`);
    },
  };
}

/** Whether the backup has the file that is written last. */
export const isFinished = async (folder: string) =>
  (await fileExists(join(folder, manifestHashName))) ||
  (await fileExists(join(folder, `${manifestName}${encryptedEnding}`)));

export const fileExists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

// The DOM's and Node's stream types differ only in name.
const toWebStream = (stream: Readable) => Readable.toWeb(stream) as unknown as globalThis.ReadableStream<Uint8Array>;

async function requirePassphrase(config: Config): Promise<string> {
  const passphrase = await readPassphrase(config);
  if (passphrase === undefined)
    throw new Error('This backup needs a passphrase: set BACKUP_PASSPHRASE or BACKUP_PASSPHRASE_FILE.');
  return passphrase;
}

const readKey = (folder: string) =>
  readFile(join(folder, keyName)).catch(() => {
    throw new Error(`The backup is damaged: ${keyName} is missing.`);
  });

async function readText(read: BackupReader['read']): Promise<string> {
  try {
    return Buffer.concat(await (await read(manifestName)).toArray()).toString();
  } catch (cause) {
    throw new Error(`The backup is damaged: ${manifestName} has changed.`, { cause });
  }
}

async function readHashedManifest(folder: string): Promise<Manifest> {
  const [text, manifestHash] = await Promise.all(
    [manifestName, manifestHashName].map((name) => readFile(join(folder, name), 'utf8').catch(() => undefined)),
  );
  if (text === undefined || manifestHash === undefined)
    throw new Error(`${folder} is not a backup: it has no manifest.`);
  if (manifestHash !== createManifestHash(text)) throw new Error(`The backup is damaged: ${manifestName} has changed.`);
  return parseManifest(text);
}

/** Returns the SHA-256 hash of a file's content; an empty string if the file cannot be decrypted. */
async function hashFile(read: BackupReader['read'], path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(await read(path), hash);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).errno) throw error; // a disk error, not damage to this file
    return '';
  }
  return hash.digest('hex');
}

const listFiles = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
