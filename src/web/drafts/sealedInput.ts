// Keeps what a user types into forms that send a request at once, until it is sent or for 14 days: investigations,
// statements, notes, decisions, lessons. It is encrypted (AES-GCM) with a key that only a session of this user gets and
// that is never stored here, so nobody can read it after a sign-out. Forms for passwords, PINs and codes keep nothing.
import { api } from '#shared/api.ts';
import { callApi } from '../client/api.ts';
import { isTransientError } from '../client/errors.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { readRecords, type StoredRecord, writeRecords, writeWithoutWaiting } from '../database/database.ts';
import { storeTypedInput, type TypedInput, typedInput } from '../ui/forms/typedInput.ts';
import { isTooOld } from './draftStore.ts';

type SealedBytes = { iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer };
type SealedFile = SealedBytes & { type: string; name: string | undefined };
type SealedInput = StoredRecord & { sealed: SealedBytes; files: SealedFile[]; keptAt: number };

const format = 1;
const getPrefix = (userId: string) => `sealed/${userId}/`;
/** Stands in the text for one of the files. */
const fileMember = '~file';

/** Encrypts and decrypts input with the key of a user. */
export function createSeal(key: CryptoKey) {
  /** Files that were encrypted before, so that each is encrypted once, however much is typed beside it. */
  const sealedFiles = new WeakMap<Blob, Promise<SealedFile>>();

  async function encrypt(data: BufferSource): Promise<SealedBytes> {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    return { iv, bytes: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, data) };
  }
  const decrypt = ({ iv, bytes }: SealedBytes) => crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes);

  async function encryptFile(file: Blob): Promise<SealedFile> {
    const name = file instanceof File ? file.name : undefined;
    return { ...(await encrypt(await file.arrayBuffer())), type: file.type, name };
  }
  function sealFile(file: Blob): Promise<SealedFile> {
    const sealed = sealedFiles.get(file) ?? encryptFile(file);
    sealedFiles.set(file, sealed);
    return sealed;
  }
  async function openFile(sealed: SealedFile): Promise<Blob> {
    const { type, name } = sealed;
    const bytes = await decrypt(sealed);
    const file = name === undefined ? new Blob([bytes], { type }) : new File([bytes], name, { type });
    sealedFiles.set(file, Promise.resolve(sealed));
    return file;
  }

  return {
    /** Encrypts values of text, numbers, lists and files. */
    async seal(values: object): Promise<Pick<SealedInput, 'sealed' | 'files'>> {
      const files: Blob[] = [];
      const text = JSON.stringify(values, (_, member) =>
        member instanceof Blob ? { [fileMember]: files.push(member) - 1 } : member,
      );
      return { sealed: await encrypt(new TextEncoder().encode(text)), files: await Promise.all(files.map(sealFile)) };
    },
    /** Rejects if it was encrypted with another key, or was changed. */
    async open({ sealed, files }: Pick<SealedInput, 'sealed' | 'files'>): Promise<object> {
      const opened = await Promise.all(files.map(openFile));
      return JSON.parse(new TextDecoder().decode(await decrypt(sealed)), (_, member) => {
        const index = Object(member)[fileMember];
        return typeof index === 'number' ? opened[index] : member;
      });
    },
  };
}

/**
 * Brings back what this user left in forms, and keeps what they type from now on. Returns a function that stops it.
 * Without encryption (no HTTPS), and on shared devices, input stays in the page only.
 */
export function keepTypedInput(userId: string): () => void {
  let isStopped = false;
  let stopListening = () => {};
  void getKey(() => isStopped).then(async (key) => {
    if (!key || isStopped) return;
    const seal = createSeal(key);
    const kept = await bringBack(userId, seal);
    if (!isStopped) stopListening = keepChanges(userId, seal, kept);
  });
  return () => {
    isStopped = true;
    stopListening();
  };
}

const firstRetryMs = 1000;
const longestRetryMs = 60_000;

/**
 * Returns the key; undefined if this session gets none. It is asked for as soon as the user is known, because there may
 * be no connection when they type; asks again while the server cannot be reached.
 */
async function getKey(isStopped: () => boolean): Promise<CryptoKey | undefined> {
  if (!globalThis.crypto?.subtle || getSharedDevice()) return undefined;
  for (let delayMs = firstRetryMs; !isStopped(); delayMs = Math.min(2 * delayMs, longestRetryMs))
    try {
      const { key } = await callApi(api.getInputKey);
      const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
      return await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
    } catch (error) {
      if (!isTransientError(error)) return undefined;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  return undefined;
}

type Seal = ReturnType<typeof createSeal>;

type Inputs = Record<string, TypedInput>;

/** Returns what was brought back. What was typed before it is newer, and stays. */
async function bringBack(userId: string, seal: Seal): Promise<Inputs> {
  const kept: Inputs = {};
  const prefix = getPrefix(userId);
  for (const record of await readRecords<SealedInput>(prefix).catch(() => [])) {
    const name = record.key.slice(prefix.length);
    // An earlier key does not open it any more: the operator has replaced the key of the server.
    const values =
      record.format === format && !isTooOld(record.keptAt) ? await seal.open(record).catch(() => undefined) : undefined;
    if (!values) writeWithoutWaiting({ delete: [record.key] });
    else if (!(name in typedInput.get())) {
      kept[name] = { values, isKept: true };
      storeTypedInput(name, kept[name]);
    }
  }
  return kept;
}

/** Stores each change, one after another, so that the last one stays. */
function keepChanges(userId: string, seal: Seal, kept: Inputs): () => void {
  let writing = Promise.resolve();
  const store = async (name: string, input: TypedInput | undefined) => {
    const key = getPrefix(userId) + name;
    // A newer change is on its way.
    if (typedInput.get()[name] !== input) return;
    if (!input) return writeRecords({ delete: [key] });
    const record: SealedInput = { key, format, ...(await seal.seal(input.values)), keptAt: Date.now() };
    return writeRecords({ put: [record] });
  };
  const storeChanges = () => {
    const [before, now] = [kept, typedInput.get()];
    kept = now;
    for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
      if (before[name] === now[name] || !(now[name] ?? before[name])?.isKept) continue;
      writing = writing.then(() => store(name, now[name])).catch(() => undefined);
    }
  };
  storeChanges();
  return typedInput.subscribe(storeChanges);
}
