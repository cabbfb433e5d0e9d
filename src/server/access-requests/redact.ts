// Takes words out of a copy. What is stored stays as it is.
import { redactText } from '#shared/law/redact.ts';

/** Keys whose values say how something is shown, and not what. */
const structural = new Set(['kind', 'image', 'mark', 'path', 'storageType', 'id']);

/** Every text in a value; keys and numbers stay. */
export function redactAll<T>(value: T, words: string[], key = ''): T {
  if (typeof value === 'string') return (structural.has(key) ? value : redactText(value, words)) as T;
  if (value instanceof Date) return value;
  if (Array.isArray(value)) return value.map((item) => redactAll(item, words, key)) as T;
  if (value && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, redactAll(item, words, name)])) as T;
  return value;
}
