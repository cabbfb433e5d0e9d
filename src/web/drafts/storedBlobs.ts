// Blobs as they are stored: WebKit loses Blobs in IndexedDB, so their bytes are kept instead.

type StoredBlob = { bytes: ArrayBuffer; type: string; name?: string };

const isStoredBlob = (value: object): value is StoredBlob =>
  'bytes' in value && value.bytes instanceof ArrayBuffer && 'type' in value;

/** Bytes that were read once: the next change of a form writes them again at once. */
const known = new WeakMap<Blob, ArrayBuffer>();

export async function readBytes(blob: Blob): Promise<ArrayBuffer> {
  const bytes = known.get(blob) ?? (await blob.arrayBuffer());
  known.set(blob, bytes);
  return bytes;
}

/** Two Blobs of the same content: what was read of one is known of the other. */
export function copyKnownBytes(from: Blob, to: Blob): void {
  const bytes = known.get(from);
  if (bytes) known.set(to, bytes);
}

function findBlobs(value: unknown): Blob[] {
  if (value instanceof Blob) return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(findBlobs) : [];
}

/** Reads what `toStored` needs; undefined when it has all of it. */
export function readAllBytes(value: unknown): Promise<unknown> | undefined {
  const unread = findBlobs(value).filter((blob) => !known.has(blob));
  return unread.length > 0 ? Promise.all(unread.map(readBytes)) : undefined;
}

/** The same value with the bytes of its Blobs, all of which were read. */
export function toStored(value: unknown): unknown {
  if (value instanceof Blob) {
    const bytes = known.get(value);
    if (!bytes) throw new Error('These bytes were not read');
    return { bytes, type: value.type, ...(value instanceof File && { name: value.name }) };
  }
  return mapMembers(value, toStored);
}

/** Turns it back. What an older version stored as Blobs stays as it is. */
export function fromStored(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Blob) return value;
  if (!isStoredBlob(value)) return mapMembers(value, fromStored);
  const { bytes, type, name } = value;
  const blob = name === undefined ? new Blob([bytes], { type }) : new File([bytes], name, { type });
  known.set(blob, bytes);
  return blob;
}

function mapMembers(value: unknown, map: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(map);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]));
}
