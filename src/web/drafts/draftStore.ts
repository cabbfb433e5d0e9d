// Half-filled forms, kept in this browser until they are submitted, or for 14 days.

import {
  deleteOldDrafts,
  readRecord,
  type StoredRecord,
  writeRecords,
  writeWithoutWaiting,
} from '../database/database.ts';
import { fromStored, readAllBytes, toStored } from './storedBlobs.ts';

/** How long any draft is kept in a browser. */
export const keepDraftsForMs = 14 * 24 * 60 * 60_000;

const format = 2;
const prefix = 'draft/';
/** The keys of a user's drafts start with this. */
export const getDraftPrefix = (userId: string) => `${prefix}${userId}/`;

type StoredDraft = StoredRecord & { value: unknown; keptAt: number };

export const isTooOld = (keptAt: number) => keptAt < Date.now() - keepDraftsForMs;

const isOldDraft = (record: StoredRecord) => {
  const { keptAt } = record as Partial<StoredDraft>;
  return keptAt !== undefined && isTooOld(keptAt);
};

let hasCleaned = false;

function deleteOldDraftsOnce() {
  if (hasCleaned) return;
  hasCleaned = true;
  deleteOldDrafts(isOldDraft).catch(() => undefined);
}

/**
 * The draft of one form of one user. Its value can be anything that structured clone supports:
 * text, lists, Blobs.
 */
export function createDraft<T>(userId: string, form: string) {
  const key = getDraftPrefix(userId) + form;
  /** Counts saves and deletions, so that a save overtaken by another is not written. */
  let changes = 0;

  return {
    key,
    keys: [key],
    async find(): Promise<T | undefined> {
      const found = await readRecord<StoredDraft>(key);
      deleteOldDraftsOnce();
      if (!found || isOldDraft(found) || found.format !== format) return undefined;
      return fromStored(found.value) as T;
    },
    /** Resolves with when the draft was last changed. */
    async findTime(): Promise<number | undefined> {
      const found = await readRecord<StoredDraft>(key);
      return found && !isOldDraft(found) ? found.keptAt : undefined;
    },
    /** Stores the value at once, unless Blobs must be read first. */
    save(value: T): void {
      changes += 1;
      const change = changes;
      const write = () => {
        if (change !== changes) return;
        const record: StoredDraft = { key, format, value: toStored(value), keptAt: Date.now() };
        writeWithoutWaiting({ put: [record] });
      };
      const reading = readAllBytes(value);
      if (reading) void reading.then(write, () => undefined);
      else write();
    },
    /** Cancels pending saves; for a form whose draft is deleted with its submission. */
    stop() {
      changes += 1;
    },
    async delete(): Promise<void> {
      changes += 1;
      await writeRecords({ delete: [key] }).catch(() => undefined);
    },
  };
}

/** The members of a draft that are stored beside the others, so that typing does not write photos again. */
const mediaNames = ['photos', 'signature', 'affectedUserSignature'];

/** The draft of a form with photos. Earlier versions stored those of audits and hazards with the other members. */
export function createDraftWithMedia<T extends object>(userId: string, form: string) {
  const input = createDraft<Partial<T>>(userId, form);
  const media = createDraft<Partial<T>>(userId, `${form} pictures`);
  let savedMedia: unknown[] = [];

  return {
    key: input.key,
    keys: [input.key, media.key],
    async find(): Promise<Partial<T> | undefined> {
      const [foundInput, foundMedia] = await Promise.all([input.find(), media.find()]);
      return foundInput || foundMedia ? { ...foundInput, ...foundMedia } : undefined;
    },
    findTime: async () => (await media.findTime()) ?? input.findTime(),
    save(value: T): void {
      const members = Object.entries(value);
      const pick = (isMedia: boolean) =>
        Object.fromEntries(members.filter(([name]) => mediaNames.includes(name) === isMedia)) as Partial<T>;
      const newMedia = Object.values(pick(true));
      // First, because earlier versions stored the photos with what is overwritten then.
      if (newMedia.some((member, index) => member !== savedMedia[index])) media.save(pick(true));
      savedMedia = newMedia;
      input.save(pick(false));
    },
    /** Cancels pending saves; for a form whose draft is deleted with its submission. */
    stop() {
      savedMedia = [];
      input.stop();
      media.stop();
    },
    delete: () => Promise.all([input.delete(), media.delete()]),
  };
}

export type Draft<T> = ReturnType<typeof createDraft<T>>;

/** Moves drafts to other keys, in one write. Rejects when the device has no room, and changes nothing. */
export async function moveDrafts(moves: { from: string; to: string }[]): Promise<void> {
  const found = await Promise.all(moves.map(({ from }) => readRecord<StoredDraft>(from)));
  const put = moves.flatMap(({ to }, index) => {
    const record = found[index];
    return record ? [{ ...record, key: to, keptAt: Date.now() }] : [];
  });
  await writeRecords({ put, delete: moves.map(({ from }) => from) });
}

/**
 * A file stored beside its draft, because it is large, and deleted after as many days. The draft contains
 * its `id`, which alone finds it.
 */
export const createDraftFile = (id: string) => {
  const key = `${prefix}file/${id}`;
  return {
    key,
    async find(): Promise<File | undefined> {
      const found = await readRecord<StoredDraft>(key);
      return found && (fromStored(found.value) as File);
    },
    /** Rejects when the device has no room. */
    async save(file: File): Promise<void> {
      await readAllBytes(file);
      await writeRecords({ put: [{ key, format, value: toStored(file), keptAt: Date.now() } as StoredDraft] });
    },
    delete: () => writeRecords({ delete: [key] }).catch(() => undefined),
  };
};
