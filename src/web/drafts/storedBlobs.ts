// Stores Blobs as bytes, because WebKit loses Blobs in IndexedDB.

type StoredBlob = { bytes: ArrayBuffer; type: string; name?: string };

const isStoredBlob = (value: object): value is StoredBlob =>
  'bytes' in value && value.bytes instanceof ArrayBuffer && 'type' in value;

/** Bytes that were read before, so that the next change of a form can be written at once. */
const cachedBytes = new WeakMap<Blob, ArrayBuffer>();

export async function readBytes(blob: Blob): Promise<ArrayBuffer> {
  const bytes = cachedBytes.get(blob) ?? (await blob.arrayBuffer());
  cachedBytes.set(blob, bytes);
  return bytes;
}

/** Call for two Blobs with the same content: bytes read from one are used for the other. */
export function copyCachedBytes(from: Blob, to: Blob): void {
  const bytes = cachedBytes.get(from);
  if (bytes) cachedBytes.set(to, bytes);
}

function findBlobs(value: unknown): Blob[] {
  if (value instanceof Blob) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(findBlobs) : [];
}

/** Reads the bytes that `toStored` needs; undefined if all were read. */
export function readAllBytes(value: unknown): Promise<unknown> | undefined {
  const unread = findBlobs(value).filter((blob) => !cachedBytes.has(blob));
  return unread.length > 0 ? Promise.all(unread.map(readBytes)) : undefined;
}

/** Returns the value with bytes instead of Blobs. Throws if any have not been read. */
export function toStored(value: unknown): unknown {
  if (value instanceof Blob) {
    const bytes = cachedBytes.get(value);
    if (!bytes) throw new Error('These bytes were not read');
    return { bytes, type: value.type, ...(value instanceof File && { name: value.name }) };
  }
  return mapMembers(value, toStored);
}

/** The reverse of `toStored`. */
export function fromStored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !isStoredBlob(value)) return mapMembers(value, fromStored);
  const { bytes, type, name } = value;
  const blob = name === undefined ? new Blob([bytes], { type }) : new File([bytes], name, { type });
  cachedBytes.set(blob, bytes);
  return blob;
}

function mapMembers(value: unknown, map: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]));
}
