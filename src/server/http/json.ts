// Reading what was sent: only what can be understood in one way, and stored as it is.
import { isStorable, notStorable } from '#shared/text.ts';
import { Refusal } from './errors.ts';

const deepest = 10;
const longestList = 500;

/**
 * Parses a body of JSON. Refuses with 400 what is no JSON, or deeper than 10, or has a list longer than 500, a name twice,
 * a number that is none, or text that cannot be stored (anywhere, even where nobody would read it).
 */
export function readJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable();
  }
  // Of two members of one name, JSON.parse keeps the last: there are more names in the text than in what was read.
  if (refuseUnsound(value) !== countNames(text)) throw unreadable();
  return value;
}

/** Refuses with 400 what no schema should have to look at; `path` is where the value stands. Gives how many names of members are in it. */
export function refuseUnsound(value: unknown, path: string[] = []): number {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw badText(path);
    return 0;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw unreadable();
  if (typeof value !== 'object' || value === null) return 0;
  if (path.length >= deepest || (Array.isArray(value) && value.length > longestList)) throw unreadable();
  let names = 0;
  for (const [name, member] of Object.entries(value)) {
    if (name === '__proto__' || name === 'constructor' || !isStorable(name)) throw unreadable();
    names += refuseUnsound(member, [...path, name]);
    if (!Array.isArray(value)) names += 1;
  }
  return names;
}

const countNames = (json: string) => {
  let names = 0;
  for (const [, colon] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*(:?)/g)) if (colon) names += 1;
  return names;
};

const unreadable = () => new Refusal(400, 'The request could not be read');
const badText = (path: string[]) =>
  new Refusal(400, notStorable, { code: 'INVALID', fields: { [path.join('.')]: notStorable } });
