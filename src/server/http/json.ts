// Parses JSON strictly: only what has one meaning and can be stored unchanged.
import type { Readable } from 'node:stream';
import type { JsonLimits } from '#shared/contract.ts';
import { isStorable, notStorableMessage } from '#shared/text.ts';
import { HttpError } from '../errors/http-error.ts';

const maxDepth = 10;
/** The maximum number of members of one object. A submission has up to 200 answers. */
const maxMembers = 256;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a JSON body. Throws 413 as soon as it exceeds the limits, before anything is built from
 * it; 400 if it is not JSON in UTF-8, deeper than 10 levels, or has a duplicate name, an invalid
 * number or text that cannot be stored.
 */
export async function parseJson(payload: Readable, contentLength: string | undefined, limits: JsonLimits) {
  if (Number(contentLength) > limits.bytes) throw createTooLargeError();
  const entryCounter = createEntryCounter(limits);
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Do not destroy the body when reading stops early, because the connection is still needed for
  // the response.
  for await (const chunk of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limits.bytes) throw createTooLargeError();
    entryCounter.add(chunk);
    chunks.push(chunk);
  }
  if (contentLength !== undefined && bytes !== Number(contentLength)) throw createUnreadableError();
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
  } catch {
    throw createUnreadableError();
  }
  // If a name occurs twice in an object, JSON.parse keeps only the last member, so the text has
  // more names than the value.
  if (assertValidJson(value) !== entryCounter.names()) throw createUnreadableError();
  return value;
}

/**
 * Throws 400 for values that are invalid in every schema, such as text that cannot be stored.
 * `path` is the position of the value. Returns the number of member names in it.
 */
export function assertValidJson(value: unknown, path: string[] = []): number {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw createTextError(path);
    return 0;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw createUnreadableError();
  if (typeof value !== 'object' || value === null) return 0;
  let names = 0;
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__' || name === 'constructor' || !isStorable(name)) throw createUnreadableError();
    names += assertValidJson(member, [...path, name]);
    if (!Array.isArray(value)) names += 1;
  }
  return names;
}

const code = (character: string) => character.charCodeAt(0);
const quote = code('"');
const backslash = code('\\');
const braceOpen = code('{');
const bracketOpen = code('[');
const braceClose = code('}');
const bracketClose = code(']');
const comma = code(',');
const colon = code(':');

/**
 * Counts entries and levels of JSON as its bytes arrive. Throws 413 at the first entry beyond the
 * limit, and 400 at the first level beyond it.
 */
function createEntryCounter({ entries: maxEntries, list }: JsonLimits) {
  /** How many entries each open object or list may still have. */
  const remainingEntries: number[] = [];
  let entries = 0;
  let names = 0;
  let isInString = false;
  let isEscaped = false;

  /**
   * Returns the position after the string that is open at `from`, or the end of the chunk if the
   * string continues in the next one.
   */
  function skipString(chunk: Buffer, from: number): number {
    let at = from;
    let nextBackslash = -1;
    for (;;) {
      if (isEscaped) at += 1;
      isEscaped = false;
      if (nextBackslash < at) nextBackslash = indexOf(chunk, backslash, at);
      const end = indexOf(chunk, quote, at);
      if (nextBackslash < end) {
        at = nextBackslash + 1;
        isEscaped = true;
        if (at < chunk.length) continue;
        return at;
      }
      isInString = end === chunk.length;
      return end + 1;
    }
  }

  function addEntry() {
    const remaining = remainingEntries.pop();
    if (remaining === undefined) throw createUnreadableError();
    remainingEntries.push(remaining - 1);
    entries += 1;
    if (entries > maxEntries || remaining === 0) throw createTooManyEntriesError();
  }

  return {
    add(chunk: Buffer) {
      for (let at = 0; at < chunk.length; at++) {
        if (isInString) {
          at = skipString(chunk, at);
          if (at >= chunk.length) return;
        }
        switch (chunk[at]) {
          case quote:
            isInString = true;
            break;
          case braceOpen:
          case bracketOpen:
            if (remainingEntries.length >= maxDepth) throw createUnreadableError();
            remainingEntries.push(chunk[at] === braceOpen ? maxMembers : list);
            addEntry();
            break;
          case braceClose:
          case bracketClose:
            remainingEntries.pop();
            break;
          case comma:
            addEntry();
            break;
          case colon:
            names += 1;
            break;
        }
      }
    },
    names: () => names,
  };
}

/** Returns the position of a byte, or the length of the chunk if it does not occur. */
function indexOf(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at < 0 ? chunk.length : at;
}

const createUnreadableError = () => new HttpError(400, 'The request could not be read');
const createTooLargeError = () => new HttpError(413, 'This is too large to send');
const createTooManyEntriesError = () =>
  new HttpError(413, 'This has more entries than can be accepted', { code: 'TOO_LARGE' });
const createTextError = (path: string[]) =>
  new HttpError(400, notStorableMessage, { code: 'INVALID', fields: { [path.join('.')]: notStorableMessage } });
