// Keeps what a user types into forms that send a request at once, until it is sent or for 14 days, as formNames.ts says:
// readable on the device, or encrypted (AES-GCM) with a key that only a session of this user gets and that is never
// stored here, so nobody can read it after a sign-out. One tab at a time has the input of a form.
import { api } from '#shared/api.ts';
import { callApi } from '../client/api.ts';
import { isTransientError } from '../client/errors.ts';
import { getSharedDevice } from '../client/sharedDevice.ts';
import { lateAnswers, readKeys, readRecord, type StoredRecord, writeRecords } from '../database/database.ts';
import { earlierNames, isBroughtBackAtStart, type Keep } from '../formNames.ts';
import {
  hasTypedInput,
  inputElsewhere,
  markAsFound,
  openForms,
  storeInputElsewhere,
  storeTypedInput,
  type TypedInput,
  typedInput,
} from '../ui/forms/typedInput.ts';
import { createDraft, getDraftPrefix, isTooOld, moveDrafts } from './draftStore.ts';
import { holdTabLock } from './tabLock.ts';

type SealedBytes = { iv: Uint8Array<ArrayBuffer>; bytes: ArrayBuffer };
type SealedFile = SealedBytes & { type: string; name: string | undefined };
type SealedInput = StoredRecord & { sealed: SealedBytes; files: SealedFile[]; keptAt: number };

const format = 1;
const getSealedPrefix = (userId: string) => `sealed/${userId}/`;
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
 * Without encryption (no HTTPS), and on shared devices, input that is to be encrypted stays in the page only.
 */
export function keepTypedInput(userId: string): () => void {
  const stops = [keepIn(createDevicePlace(userId), userId)];
  let isStopped = false;
  void getKey(() => isStopped).then((key) => {
    if (key && !isStopped) stops.push(keepIn(createSealedPlace(userId, createSeal(key)), userId));
  });
  return () => {
    isStopped = true;
    for (const stop of stops) stop();
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

type Kept = { values: object; keptAt: number };

/** A place where the input of a user's forms is kept, by the names of the forms. */
type Place = {
  keep: Keep;
  list(): Promise<string[]>;
  /** Resolves with undefined for what is too old, or cannot be read any more. */
  read(name: string): Promise<Kept | undefined>;
  write(name: string, values: object): void;
  delete(name: string): Promise<void>;
};

/** Gives drafts of earlier versions the names of today's forms. */
async function renameDrafts(userId: string) {
  for (const [name, getNewName] of Object.entries(earlierNames)) {
    const draft = createDraft<object>(userId, name);
    const values = await draft.find();
    if (values) await moveDrafts([{ from: draft.key, to: getDraftPrefix(userId) + getNewName(values) }]);
  }
}

function createDevicePlace(userId: string): Place {
  const drafts = new Map<string, ReturnType<typeof createDraft<object>>>();
  const getDraft = (name: string) => {
    const draft = drafts.get(name) ?? createDraft<object>(userId, name);
    drafts.set(name, draft);
    return draft;
  };
  const prefix = getDraftPrefix(userId);
  return {
    keep: 'device',
    async list() {
      await renameDrafts(userId);
      return (await readKeys(prefix)).map((key) => key.slice(prefix.length)).filter(isBroughtBackAtStart);
    },
    async read(name) {
      const [values, keptAt = 0] = await Promise.all([getDraft(name).find(), getDraft(name).findTime()]);
      return values && { values, keptAt };
    },
    write: (name, values) => getDraft(name).save(values),
    delete: (name) => getDraft(name).delete(),
  };
}

type Seal = ReturnType<typeof createSeal>;

function createSealedPlace(userId: string, seal: Seal): Place {
  const prefix = getSealedPrefix(userId);
  /** The last change of each form, so that one that was overtaken is not written. */
  const latest = new Map<string, object>();
  return {
    keep: 'sealed',
    list: async () => (await readKeys(prefix)).map((key) => key.slice(prefix.length)),
    async read(name) {
      const record = await readRecord<SealedInput>(prefix + name);
      if (!record || record.format !== format || isTooOld(record.keptAt)) return undefined;
      // An earlier key does not open it any more: the operator has replaced the key of the server.
      const values = await seal.open(record).catch(() => undefined);
      return values && { values, keptAt: record.keptAt };
    },
    write(name, values) {
      latest.set(name, values);
      void seal
        .seal(values)
        .then((sealed) => {
          const record: SealedInput = { key: prefix + name, format, ...sealed, keptAt: Date.now() };
          return latest.get(name) === values ? writeRecords({ put: [record] }) : undefined;
        })
        .catch(() => undefined);
    },
    delete(name) {
      latest.delete(name);
      return writeRecords({ delete: [prefix + name] }).catch(() => undefined);
    },
  };
}

/**
 * Brings back the input that is kept in a place, and keeps each change there. One tab at a time has the input of a
 * form: it asks for a lock when the form is opened with input, or is typed into. What was brought back is then read
 * again, because another tab may have changed or sent it. Returns a function that stops it.
 */
function keepIn(place: Place, userId: string): () => void {
  const { keep } = place;
  /** Functions that give up the locks of forms that this tab holds or waits for. */
  const locks = new Map<string, () => void>();
  /** The forms whose locks this tab holds: it alone keeps their input. */
  const held = new Set<string>();
  /** The input that was brought back, by the names of forms. */
  const broughtBack = new Map<string, Kept & { input: TypedInput }>();
  let known: Record<string, TypedInput> = {};
  let isListed = false;
  let isStopped = false;

  const read = (name: string) => place.read(name).catch(() => undefined);

  function show(name: string, kept: Kept) {
    const input = { values: kept.values, keep };
    broughtBack.set(name, { ...kept, input });
    known = { ...known, [name]: input };
    storeTypedInput(name, input);
  }

  async function bringBack(name: string) {
    const isUntouched = () => !isStopped && !locks.has(name) && !hasTypedInput(name);
    const kept = isUntouched() ? await read(name) : undefined;
    if (!isUntouched()) return;
    if (kept) show(name, kept);
    else markAsFound(name);
    // What cannot be read any more is deleted by the tab with the lock.
    if (!kept || name in openForms.get()) lock(name);
  }

  /** With `isNewest`, what is typed in this tab replaces what is kept. */
  function lock(name: string, { isTakenOver = false, isNewest = false } = {}) {
    locks.get(name)?.();
    // Set first, because the lock may be held at once.
    locks.set(name, () => {});
    const onChange = (isHeld: boolean) => {
      if (isHeld) void begin(name, isNewest);
      else leave(name);
      isNewest = false;
    };
    locks.set(name, holdTabLock(`${name} of ${userId}`, onChange, isTakenOver));
  }

  function unlock(name: string) {
    held.delete(name);
    locks.get(name)?.();
    locks.delete(name);
    storeInputElsewhere(name, undefined);
  }

  async function begin(name: string, isNewest: boolean) {
    const kept = isNewest ? undefined : await read(name);
    if (!locks.has(name)) return;
    held.add(name);
    storeInputElsewhere(name, undefined);
    const [typed, seen] = [typedInput.get()[name], broughtBack.get(name)];
    if (kept && kept.keptAt !== seen?.keptAt) show(name, kept);
    else if (!kept && typed === seen?.input) storeTypedInput(name, undefined);
    else if (typed && typed !== seen?.input) place.write(name, typed.values);
    markAsFound(name);
    if (!typedInput.get()[name]) await erase(name);
  }

  /** Another tab has the form's input, or has taken it over. */
  function leave(name: string) {
    const wasHeld = held.delete(name);
    storeInputElsewhere(name, () => lock(name, { isTakenOver: true }));
    markAsFound(name);
    if (!wasHeld) return;
    // So that it is shown, and not taken for input that was sent, when it comes back without a change.
    broughtBack.delete(name);
    storeTypedInput(name, undefined);
  }

  async function erase(name: string) {
    await place.delete(name);
    if (!typedInput.get()[name] && !openForms.get()[name]?.isUsed) unlock(name);
  }

  function keepChanges() {
    const [before, now] = [known, typedInput.get()];
    known = now;
    for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
      const input = now[name];
      if (before[name] === input || (input ?? before[name])?.keep !== keep) continue;
      if (!locks.has(name)) lock(name, { isNewest: !isListed });
      else if (!held.has(name)) continue;
      else if (input) place.write(name, input.values);
      else void erase(name);
    }
  }

  /** The open forms, and whether they are used. */
  const opened = new Map<string, boolean>();
  function lockOpened() {
    const open = openForms.get();
    for (const [name, wasUsed] of opened) {
      if (name in open) continue;
      opened.delete(name);
      if (wasUsed && !hasTypedInput(name)) unlock(name);
    }
    for (const [name, { keep: itsKeep, isUsed = false }] of Object.entries(open)) {
      if (itsKeep !== keep || opened.get(name) === isUsed) continue;
      opened.set(name, isUsed);
      if (held.has(name) || name in inputElsewhere.get()) markAsFound(name);
      else if (!isUsed && !hasTypedInput(name)) void bringBack(name);
      else if (!locks.has(name)) lock(name);
    }
  }

  /** Shows what the database says late, unless something was typed. */
  function showLateAnswers() {
    for (const name of opened.keys())
      if (!hasTypedInput(name)) void (held.has(name) ? begin(name, false) : bringBack(name));
  }

  keepChanges();
  lockOpened();
  const stops = [
    typedInput.subscribe(keepChanges),
    openForms.subscribe(lockOpened),
    lateAnswers.subscribe(showLateAnswers),
  ];
  void place
    .list()
    .catch(() => [])
    .then(async (names) => {
      await Promise.all(names.map(bringBack));
      isListed = true;
    });
  return () => {
    isStopped = true;
    for (const stop of stops) stop();
    for (const name of [...locks.keys()]) unlock(name);
  };
}
