// Replaces words in the copy for the person. Stored records do not change.
import { redactText } from '#shared/law/redact.ts';
import { foldText } from '#shared/text.ts';
import type { NameFinder, UserNames } from '../users/names.ts';

/** Keys whose values describe presentation, not content. */
const structural = new Set(['kind', 'image', 'mark', 'path', 'storageType', 'id']);

/** Applies a function to every text in a value; keys and numbers stay the same. */
export function redactAll<T>(value: T, words: string[], key = ''): T {
  if (typeof value === 'string') return (structural.has(key) ? value : redactText(value, words)) as T;
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((item) => redactAll(item, words, key)) as T;
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactAll(item, words, name)])) as T;
  return value;
}

/** The words, and of a user whose username or full name is one of them, both: a copy may have either. */
export function addOtherNames(words: string[], users: UserNames[], getName: NameFinder): string[] {
  const chosen = new Set(words.map((word) => foldText(word).trim()));
  const named = users.filter(({ username, full_name }) =>
    [username, full_name, getName(username)].some((text) => chosen.has(foldText(text).trim())),
  );
  return [...words, ...named.flatMap(({ username, full_name }) => [username, full_name])];
}
