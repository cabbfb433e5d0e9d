// The list of parks: one name a line of the file that PARKS_FILE names, otherwise the usual 20.
import { allParks } from '#shared/choices.ts';
import { type ListedPark, listDefaultParks, setParks } from '#shared/park-list.ts';
import { getNameKey, hasVisibleText } from '#shared/text.ts';
import { readSettingFile } from '../config.ts';
import type { Database } from '../db/schema.ts';
import { listUsedParks } from './used-parks.ts';

const limits = { characters: 60, parks: 200 };

/** Reads the list of parks. Rejects with a sentence that begins with `PARKS_FILE`. */
export async function readParkList(file: string): Promise<ListedPark[]> {
  if (!file) return listDefaultParks();
  const bytes = await readSettingFile('PARKS_FILE', file);
  return parseParkList(decode(bytes));
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Error('PARKS_FILE must be text in UTF-8', { cause });
  }
}

/** Parses the list, in its order. Throws an Error that names the line and the reason. */
export function parseParkList(text: string): ListedPark[] {
  const list: ListedPark[] = [];
  const lineByKey = new Map<string, number>();
  const lines = text.split(/\r\n|\n|\r/);
  for (const [at, written] of lines.entries()) {
    const line = written.normalize('NFC').trim();
    if (line === '' || line.startsWith('#')) continue;
    const [, closed, name = ''] = /^(closed:)?(.*)$/is.exec(line)?.map((part) => part?.trim()) ?? [];
    const key = getNameKey(name);
    const sameLine = lineByKey.get(key);
    const problem =
      findProblem(name) ??
      (sameLine === undefined ? undefined : `has the name of line ${sameLine}`) ??
      (list.length === limits.parks ? `is one park too many: a list has at most ${limits.parks}` : undefined);
    if (problem) throw createLineError(at + 1, problem);
    lineByKey.set(key, at + 1);
    list.push({ name, isClosed: closed !== undefined });
  }
  if (!list.some(({ isClosed }) => !isClosed))
    throw createLineError(lines.length, 'ends the list without an open park');
  return list;
}

const createLineError = (line: number, problem: string) => new Error(`PARKS_FILE line ${line}: this line ${problem}`);

const reservedKeys = [allParks, 'None'].map(getNameKey);

function findProblem(name: string): string | undefined {
  if (name === '' || !hasVisibleText(name)) return 'has no name';
  if ([...name].length > limits.characters) return `has more than ${limits.characters} characters`;
  const [character] = /[,;=@|%_\\]/.exec(name) ?? [];
  if (character) return `has a ${character}, which no name may have`;
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name)) return 'has a control or format character';
  return reservedKeys.includes(getNameKey(name)) ? `is ${name}, which is not a park` : undefined;
}

/**
 * Sets the parks of this server. Parks that the database names and the list lacks count as closed, so that nothing
 * disappears by a typing error. Resolves with the names of these. Rejects if the list cannot be used.
 */
export async function startParkList(file: string, db: Database): Promise<string[]> {
  const list = await readParkList(file);
  const listed = new Set(list.map(({ name }) => name));
  const unlisted = [...(await listUsedParks(db))].filter((name) => !listed.has(name)).sort();
  setParks([...list, ...unlisted.map((name) => ({ name, isClosed: true }))]);
  return unlisted;
}
