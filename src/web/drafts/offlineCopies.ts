// Copies of the server's replies for offline use: checklists, which contain no personal data, and
// the audits and places of the user's parks, until the session ends or for at most 12 hours.
import { replaceEqualDeep } from '@tanstack/react-query';
import { backgroundHeaders } from '#shared/client.ts';
import { previewUrl } from '#shared/uploads.ts';
import { isTransientError } from '../client/errors.ts';
import { clearCopiesMark, getParksKey, getRememberedUser, markCopies } from '../client/offlineSession.ts';
import { getRange, readRecord, type StoredRecord, writeRecords } from '../database/database.ts';
import { deleteUserCopies, userCopiesPrefix } from '../database/userCopies.ts';

type Scope = 'everyone' | 'user';
type Copy = StoredRecord & { value: unknown; fetchedAt: number };

const format = 1;
const prefix = 'copy/';
const keepUserCopiesForMs = 12 * 60 * 60_000;

/**
 * Returns the prefix of the keys of copies: for everyone, or for the signed-in user at their parks.
 * Undefined for the user's once the session has ended.
 */
function getPrefix(scope: Scope): string | undefined {
  if (scope === 'everyone') return `${prefix}everyone/`;
  const user = getRememberedUser();
  return user && `${userCopiesPrefix}${user.id}/${getParksKey(user)}/`;
}

function createCopy(scope: Scope, queryKey: readonly unknown[], value: unknown): Copy[] {
  const start = getPrefix(scope);
  if (start === undefined) return [];
  if (scope === 'user') markCopies();
  return [{ key: start + JSON.stringify(queryKey), format, value, fetchedAt: Date.now() }];
}

async function findCopy(scope: Scope, queryKey: readonly unknown[]): Promise<Copy | undefined> {
  const start = getPrefix(scope);
  const copy = start === undefined ? undefined : await readRecord<Copy>(start + JSON.stringify(queryKey));
  if (!copy || copy.format !== format) return undefined;
  const isOld = scope === 'user' && copy.fetchedAt < Date.now() - keepUserCopiesForMs;
  // A user's copies are fetched together, so if one is too old, all are.
  if (isOld) await deleteUserCopies().then(clearCopiesMark, () => undefined);
  return isOld ? undefined : copy;
}

/** Returns a copy stored by `replaceUserCopies`. For the names: a device stores only those in its audits. */
export const findUserCopy = async <Reply>(queryKey: readonly unknown[]) =>
  (await findCopy('user', queryKey))?.value as Reply | undefined;

const copiedAt = new WeakMap<object, number>();
/** Returns when a query's result was copied; undefined if it came from the server. */
export const getCopiedAt = (reply: object | undefined) => reply && copiedAt.get(reply);

const requestAgainAfterMs = 15_000;

/**
 * Adds copying to a query: stores each reply, and returns the copy while the server cannot be
 * reached. A copy on the screen is replaced as soon as the server responds.
 */
export function withOfflineCopy<Options extends { queryKey: readonly unknown[]; queryFn?: unknown }>(
  scope: Scope,
  options: Options,
): Options {
  const { queryKey } = options;
  const request = options.queryFn as (context: unknown) => Promise<object>;
  const queryFn = async (context: unknown) => {
    try {
      const reply = await request(context);
      void writeRecords({ put: createCopy(scope, queryKey, reply) }).catch(() => undefined);
      return reply;
    } catch (error) {
      const copy = isTransientError(error) ? await findCopy(scope, queryKey) : undefined;
      if (!copy) throw error;
      const reply = copy.value as object;
      copiedAt.set(reply, copy.fetchedAt);
      return reply;
    }
  };
  return {
    ...options,
    queryFn,
    // A reply that equals the copy is not a copy.
    structuralSharing: (before: unknown, after: unknown) =>
      getCopiedAt(before as object | undefined) === getCopiedAt(after as object)
        ? replaceEqualDeep(before, after)
        : after,
    // A short outage of the server is over before anyone has noticed it.
    refetchInterval: ({ state }: { state: { data: unknown } }) =>
      getCopiedAt(state.data as object | undefined) !== undefined && requestAgainAfterMs,
  };
}

/** Maximum total bytes of all photos in a user's copies. */
const maxPhotoBytes = 2 * 1024 * 1024;

type CopiedPhoto = { bytes: ArrayBuffer; type: string };

const getPhotoKey = (path: string) => ['photo', path];

/** Returns the preview of a photo, if it was copied. */
export async function findPhotoCopy(path: string): Promise<Blob | undefined> {
  const { bytes, type } = ((await findCopy('user', getPhotoKey(path)))?.value ?? {}) as Partial<CopiedPhoto>;
  return bytes && new Blob([bytes], { type: type ?? '' });
}

/**
 * Replaces all users' copies with these. Then copies the photos with these paths, in order, while
 * there is room.
 */
export async function replaceUserCopies(
  copies: { queryKey: readonly unknown[]; value: unknown }[],
  photos: string[] = [],
  fetchPhoto: (path: string) => Promise<Blob> = fetchPreview,
): Promise<void> {
  const existingCopies = await Promise.all(
    photos.map(async (path) => ({ path, value: (await findCopy('user', getPhotoKey(path)))?.value as CopiedPhoto })),
  );
  let bytesLeft = maxPhotoBytes;
  const keptCopies = existingCopies.filter(({ value }) => {
    const hasRoom = value !== undefined && value.bytes.byteLength <= bytesLeft;
    if (hasRoom) bytesLeft -= value.bytes.byteLength;
    return hasRoom;
  });
  const put = [
    ...copies.flatMap(({ queryKey, value }) => createCopy('user', queryKey, value)),
    ...keptCopies.flatMap(({ path, value }) => createCopy('user', getPhotoKey(path), value)),
  ];
  await writeRecords({ delete: [getRange(userCopiesPrefix)], put });
  for (const path of photos) {
    if (keptCopies.some((photo) => photo.path === path)) continue;
    const photo = await fetchPhoto(path);
    bytesLeft -= photo.size;
    if (bytesLeft < 0) return;
    const value: CopiedPhoto = { bytes: await photo.arrayBuffer(), type: photo.type };
    // Nothing is written once the session has ended.
    await writeRecords({ put: createCopy('user', getPhotoKey(path), value) });
  }
}

async function fetchPreview(path: string): Promise<Blob> {
  const response = await fetch(previewUrl(path), { credentials: 'same-origin', headers: backgroundHeaders });
  if (!response.ok) throw new Error(`${path} was not copied: ${response.status}`);
  return response.blob();
}
