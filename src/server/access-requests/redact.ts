// Blacks out words in the copy that the person receives. Stored records do not change.
import { redactText } from '#shared/people/redact.ts';
import { foldText } from '#shared/text.ts';
import { startSlices } from '../event-loop.ts';
import type { NameFinder, UserNames } from '../names/user-names.ts';

/** Members that describe the layout or name a file; their values are not text about people. */
const unredactedFields = new Set(['kind', 'image', 'mark', 'path', 'storageType', 'id']);

/**
 * Blacks out words in every text of a value; keys and numbers stay the same. Works in slices, because
 * a record may have megabytes of text.
 */
export async function redactAll<T>(value: T, words: string[]): Promise<T> {
  if (words.length === 0) return value;
  const pause = startSlices();
  const redact = async (value: unknown, key: string): Promise<unknown> => {
    if (typeof value === 'string') {
      await pause();
      return unredactedFields.has(key) ? value : redactText(value, words);
    }
    if (value instanceof Date || !value || typeof value !== 'object') return value;
    const redactedEntries: [string, unknown][] = [];
    for (const [name, item] of Object.entries(value))
      redactedEntries.push([name, await redact(item, Array.isArray(value) ? key : name)]);
    return Array.isArray(value) ? redactedEntries.map(([, item]) => item) : Object.fromEntries(redactedEntries);
  };
  return (await redact(value, '')) as T;
}

/** Adds the username and full name of each user whom one of the words names: a copy may have either. */
export function addOtherNames(words: string[], users: UserNames[], getName: NameFinder): string[] {
  const chosen = new Set(words.map((word) => foldText(word).trim()));
  const named = users.filter(({ username, full_name }) =>
    [username, full_name, getName(username)].some((text) => chosen.has(foldText(text).trim())),
  );
  return [...words, ...named.flatMap(({ username, full_name }) => [username, full_name])];
}
